import { afterEach, describe, expect, test, vi } from 'vitest';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { errorOf } from '../support/test-service.ts';

describe('the entry point', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  test('it answers, and logs an object to console.info for the runtime to wrap', async () => {
    vi.stubEnv('AWS_REGION', 'local');
    vi.stubEnv(ENVIRONMENT.plantsTable, 'Plants');
    vi.stubEnv(ENVIRONMENT.accessTokensTable, 'AccessTokens');
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const { handler } = await import('../../lambda/handler.ts');
    expect(errorOf(await handler({ httpMethod: 'GET' }, {}))).toBe(40401);
    expect(info.mock.calls).toEqual([[expect.objectContaining({ outcome: 'refused', error: 40401 })]]);
  });
});
