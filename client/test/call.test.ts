import { expect, test, vi } from 'vitest';
import { performer } from '../src/call.ts';

/** Performs a call that only reads, with two attempts. */
async function read(attempt: () => Promise<Response>) {
  const fetch = vi.fn(attempt);
  const perform = performer({ baseUrl: 'http://127.0.0.1/prod', token: 't', fetch, maxAttempts: 2 });
  const resultOf = ({ found }: { found?: unknown }) => found;
  const call = { method: 'GET', path: '/plants/7', mayStore: false, ifLost: 'nothing was changed' };
  const ended = await perform({ ...call, resultOf }).catch((error) => error);
  return { ended, requests: fetch.mock.calls };
}

test('a call that reads has no body and no content type', async () => {
  const { ended, requests } = await read(async () => Response.json({ found: 1 }));
  expect(ended).toBe(1);
  const request = { method: 'GET', headers: { authorization: 'Bearer t' }, redirect: 'manual' };
  const signal = expect.any(AbortSignal);
  expect(requests).toEqual([['http://127.0.0.1/prod/plants/7', { ...request, signal }]]);
});

test.each([
  [
    'no response',
    () => Promise.reject(new TypeError()),
    'No response was received; nothing was changed, and retrying is safe.',
  ],
  ['an unreadable 200', async () => Response.json({}), 'did not come from the service'],
])('%s to a call that reads is tried again, and stores nothing', async (_, attempt, part) => {
  const { ended, requests } = await read(attempt);
  const message = expect.stringContaining(part);
  expect(ended).toMatchObject({ error: 50401, mayBeStored: false, message });
  expect(requests.length).toBe(2);
});
