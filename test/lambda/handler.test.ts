import { afterEach, describe, expect, test, vi } from 'vitest';
import { errorOf } from '../support/test-service.ts';

describe('the entry point', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  test('it answers, and logs an object to console.info for the runtime to wrap', async () => {
    vi.stubEnv('AWS_REGION', 'local');
    vi.stubEnv('PLANTS_TABLE', 'Plants');
    vi.stubEnv('ACCESS_TOKENS_TABLE', 'AccessTokens');
    vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const { handler } = await import('../../lambda/handler.ts');
    expect(errorOf(await handler({ httpMethod: 'GET' }, {}))).toBe(40401);
    expect(info.mock.calls).toEqual([
      [expect.objectContaining({ outcome: 'refused', error: 40401, version: '7' })],
    ]);
  });
});
