import { expect, onTestFinished, test } from 'vitest';
import { performer } from '../src/call.ts';
import { type Behavior, FERN, startScriptedService } from './scripted-service.ts';

/** Performs a call that only reads, with two attempts. */
async function read(...script: Behavior[]) {
  const service = await startScriptedService(...script);
  onTestFinished(() => service.close());
  const perform = performer({ baseUrl: `${service.url}/prod`, token: 't', maxAttempts: 2, timeoutMs: 5_000 });
  const call = {
    method: 'GET',
    path: '/plants/7',
    resultOf: (content: object) => Object.keys(content)[0],
  } as const;
  const ended = await perform(call).catch((error: unknown) => error);
  return { ended, requests: service.requests };
}

test('a call that reads has no body and no content type', async () => {
  const { ended, requests } = await read({ ...FERN, body: '{"found":1}' });
  expect(ended).toBe('found');
  expect(requests).toMatchObject([{ method: 'GET', url: '/prod/plants/7', body: '' }]);
  expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer t' });
  expect(requests[0]?.headers).not.toHaveProperty('content-type');
});

test.each<[string, Behavior, string]>([
  ['no response', 'reset', 'No response was received; retrying is safe.'],
  [
    'an unreadable 200',
    { status: 200, body: '{}' },
    'The response (status 200) did not come from the service',
  ],
])('%s to a call that reads is tried again, and stores nothing', async (_, behavior, message) => {
  const { ended, requests } = await read(behavior);
  expect(ended).toMatchObject({
    error: 50401,
    mayBeStored: false,
    message: expect.stringContaining(message),
  });
  expect(requests.length).toBe(2);
});
