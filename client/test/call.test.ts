import { expect, test, vi } from 'vitest';
import { performer } from '../src/call.ts';

/** Performs a call that stores nothing, with two attempts. */
async function look(attempt: () => Promise<Response>) {
  const fetch = vi.fn(attempt);
  const perform = performer({ baseUrl: 'http://127.0.0.1/prod', token: 't', fetch, maxAttempts: 2 });
  const resultOf = ({ found }: { found?: unknown }) => found;
  const call = { method: 'POST', path: '/plants', body: '', mayStore: false, ifLost: 'nothing was changed' };
  const ended = await perform({ ...call, resultOf }).catch((error) => error);
  return { ended, requests: fetch.mock.calls };
}

test.each([
  [
    'no response',
    () => Promise.reject(new TypeError()),
    'No response was received; nothing was changed, and retrying is safe.',
  ],
  [
    'an unreadable 200',
    async () => Response.json({}),
    'The response (status 200) did not come from the service but from a proxy or AWS, or from an older version of it; check the base URL.',
  ],
  [
    'a page of a proxy',
    async () => new Response('', { status: 503 }),
    ' from a proxy or AWS; check the base URL.',
  ],
])('%s to a call that stores nothing is tried again, and nothing may be stored', async (_, attempt, part) => {
  const { ended, requests } = await look(attempt);
  const message = expect.stringContaining(part);
  expect(ended).toMatchObject({ error: 50401, mayBeStored: false, message });
  expect(requests.length).toBe(2);
});
