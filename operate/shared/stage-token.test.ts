import { expect, test, vi } from 'vitest';
import { error, ok, PROD, stack, withAws } from '../../test/support/aws-stand-in.ts';
import { deployedStack } from './deployed-stack.ts';
import { withStageToken } from './stage-token.ts';

test('says if the token, which is valid for a day, cannot be revoked, although the work succeeded', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const responses = {
    ...stack('CREATE_COMPLETE', { AccessTokensTable: 'Tokens', BaseUrl: 'http://127.0.0.1:9' }),
    Scan: ok({ Items: [], Count: 0 }),
    PutItem: ok({}),
    DeleteItem: error('ExpiredTokenException', 'Expired'),
  };
  await withAws(responses, async (_, inputs) => {
    const done = withStageToken(await deployedStack(PROD), async () => 'done');
    expect(await done).toEqual({ result: 'done', isRevoked: false });
    // A token that is left behind expires in a day.
    const { created, expires } = Object(inputs('PutItem')[0]).Item;
    expect(expires.N - created.N).toBe(86_400);
  });
  expect(printed).toHaveBeenCalledWith(expect.stringContaining('of verify may still be valid'));
  printed.mockRestore();
});
