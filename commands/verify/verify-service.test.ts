import { expect, test } from 'vitest';
import { type Behavior, FERN, startScriptedService } from '../../client/test/scripted-service.ts';
import { bodyOf } from '../../contract/examples.ts';
import { requireService } from './run.ts';
import { RunningService } from './running-service.ts';

const TOKEN = `plants_${'0'.repeat(49)}`;
const BODY = '{"error":42901,"message":"Not now."}';
const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': '1',
  'retry-after': '1',
};
const throttled: Behavior = { status: 400, body: BODY, headers };
const byProxy: Behavior = { status: 503, body: 'busy', headers };

test.concurrent.each<[string, Behavior[], response: string, requests: number]>([
  ['a broken connection is opened once more', ['reset', FERN], FERN.body, 2],
  ['a second broken connection is reported', ['reset', 'reset', FERN], 'ECONNRESET', 2],
  ['a throttled request is repeated', [throttled, FERN], FERN.body, 2],
  ['the pauses of a service add up to its patience at most', [throttled, throttled, FERN], BODY, 2],
  ['what a proxy says is judged, and not repeated', [byProxy, FERN], 'busy', 1],
])('%s', async (_, script, expected, count) => {
  const { url, requests, close } = await startScriptedService(...script);
  const service = new RunningService(url, TOKEN, { patience: 1_000 });
  const response = await service.create('{}').then(
    ({ body }) => body,
    ({ code }) => code,
  );
  service.close();
  await close();
  expect([response, requests.length, service.retries]).toEqual([expected, count, count - 1]);
});

test.each<[Behavior, string]>([
  [{ status: 400, body: '{"error":40102,"message":"Not\u009b\\nvalid."}' }, '40102: Not\u009b valid.'],
  [{ status: 404, body: '<html>', headers: { 'content-type': 'text/any' } }, 'status 404, text/any.'],
])(
  'of a service that does not accept a plant, the first response is shown: %j',
  async (behavior, problem) => {
    const { url, close } = await startScriptedService(behavior);
    const service = new RunningService(url, TOKEN);
    const message = `${url} does not accept a valid plant: ${problem}`;
    await expect(requireService(service, bodyOf(1))).rejects.toThrow(message);
    service.close();
    await close();
  },
);
