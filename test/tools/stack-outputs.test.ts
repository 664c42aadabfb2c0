import { expect, test, vi } from 'vitest';
import { deployedAccessTokensTable } from '../../tools/stack-outputs.ts';
import { PROTECTED } from '../infra/synth.ts';
import { startCloudFormation } from './cloudformation-stand-in.ts';

test('a stage is looked up in its own Region, and must be in its own account', async () => {
  const outputs = { AccessTokensTable: 'tokens' };
  const cloudFormation = await startCloudFormation({
    'PlantStore-production': { outputs, account: '111122223333' },
  });
  for (const [name, value] of Object.entries(cloudFormation.env)) vi.stubEnv(name, value);
  const stage = { ...PROTECTED, region: 'eu-west-3' };
  try {
    expect(await deployedAccessTokensTable({ ...stage, account: '111122223333' })).toBe('tokens');
    await expect(deployedAccessTokensTable({ ...stage, account: '999999999999' })).rejects.toThrow(
      'Stage production belongs to account 999999999999, but the credentials are for account 111122223333.',
    );
    expect(cloudFormation.regions).toEqual(['eu-west-3', 'eu-west-3']);
  } finally {
    vi.unstubAllEnvs();
    cloudFormation.close();
  }
});
