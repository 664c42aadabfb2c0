import { expect, test, vi } from 'vitest';
import { performer } from '../src/call.ts';

test('a call without a body has no content type', async () => {
  const fetch = vi.fn(async () => Response.json({ found: 1 }));
  const perform = performer({ baseUrl: 'http://127.0.0.1/prod', token: 't', fetch });
  const call = { method: 'GET', path: '/plants/7', mayStore: false, ifLost: 'nothing was changed' };
  expect(await perform({ ...call, resultOf: ({ found }) => found })).toBe(1);
  const request = { method: 'GET', headers: { authorization: 'Bearer t' }, redirect: 'manual' };
  const signal = expect.any(AbortSignal);
  expect(fetch.mock.calls).toEqual([['http://127.0.0.1/prod/plants/7', { ...request, signal }]]);
});
