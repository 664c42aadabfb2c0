import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { PROD } from '../../test/support/aws-stand-in.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { clientSettings, failed } from './aws.ts';
import { readCaller } from './deployed-stack.ts';

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ['a', 'b', 'c', 'a'],
  [undefined, 'b', 'c', 'b'],
  [undefined, '', 'c', 'c'],
  [undefined, undefined, 'c', 'c'],
  // The SDK then reads the profile.
  [undefined, '', '', undefined],
])('the stage has Region %j, AWS_REGION is %j, AWS_DEFAULT_REGION %j: %j', (region, first, second, used) => {
  vi.stubEnv('AWS_REGION', first);
  vi.stubEnv('AWS_DEFAULT_REGION', second);
  expect(clientSettings({ ...PROD, ...(region && { region }) }).region).toBe(used);
});

test('a profile that wants a code of an MFA device: the message says how to give one', async () => {
  const file = path.join(temporaryFolder(), 'config');
  const lines = ['[profile base]', 'aws_access_key_id = any', 'aws_secret_access_key = any', '[profile mfa]'];
  const role = ['role_arn = arn:aws:iam::111122223333:role/R', 'source_profile = base'];
  writeFileSync(file, [...lines, ...role, 'mfa_serial = arn:aws:iam::111122223333:mfa/me', ''].join('\n'));
  const unset = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };
  const env = {
    AWS_PROFILE: 'mfa',
    AWS_CONFIG_FILE: file,
    AWS_SHARED_CREDENTIALS_FILE: file,
    AWS_REGION: 'eu-west-1',
  };
  for (const [name, value] of Object.entries({ ...env, ...unset })) vi.stubEnv(name, value);
  await expect(readCaller(clientSettings(PROD)).catch(failed('Nothing was read'))).rejects.toThrow(
    'Nothing was read: CredentialsProviderError: Profile mfa requires multi-factor authentication, but no MFA code callback ' +
      'was provided; run: eval "$(aws configure export-credentials --format env)" && unset AWS_PROFILE.',
  );
});
