import { expect, test, vi } from 'vitest';
import { error, ok, PROD, stack, withAws } from '../../test/support/aws-stand-in.ts';
import { withStageToken } from './stage-access.ts';

test('the exit code is 1 if the token, which is valid for a day, cannot be revoked, although the work succeeded', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const responses = {
    ...stack('CREATE_COMPLETE', { AccessTokensTable: 'Tokens', BaseUrl: 'http://127.0.0.1:9' }),
    Scan: ok({ Items: [], Count: 0 }),
    PutItem: ok({}),
    DeleteItem: error('ExpiredTokenException', 'Expired'),
  };
  await withAws(responses, async (_, inputs) => {
    expect(await withStageToken(PROD, async () => 'done')).toBe('done');
    // A token that is left behind expires in a day.
    const { created, expires } = Object(inputs('PutItem')[0]).Item;
    expect(expires.N - created.N).toBe(86_400);
  });
  expect(printed).toHaveBeenCalledWith(expect.stringContaining('of verify may still be valid'));
  expect(process.exitCode).toBe(1);
  process.exitCode = undefined;
  printed.mockRestore();
});
