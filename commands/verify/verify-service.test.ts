import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { bodyOf } from '../../contract/examples.ts';
import { listen } from '../../test/support/listen.ts';
import { requireService } from './run.ts';
import { RunningService } from './running-service.ts';

type Act = (response: ServerResponse) => unknown;

const TOKEN = `plants_${'0'.repeat(49)}`;

/** Sends one request to a service that does this, act by act; then it returns 200, so that no client retries for ever. */
async function send(...acts: Act[]) {
  let requests = 0;
  const server = createServer((request, response) => {
    const act = acts[requests] ?? ((last: ServerResponse) => last.end('too many'));
    requests += 1;
    request.resume().on('end', () => act(response));
  });
  const service = new RunningService(await listen(server), TOKEN, { patience: 1_000 });
  const response = await service.create('{}').then(
    ({ body }) => body,
    ({ code }) => code,
  );
  service.close();
  server.close();
  return { response, requests, retries: service.retries };
}
const breakOff: Act = ({ socket }) => socket?.destroy();
const BODY = '{"error":42901,"message":"Not now."}';
const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': '1',
  'retry-after': '1',
};
const throttled: Act = (response) => response.writeHead(400, HEADERS).end(BODY);
const byProxy: Act = (response) => response.writeHead(503, HEADERS).end('busy');
const plant: Act = (response) => response.end('plant');

test.concurrent.each<[string, Act[], response: string, requests: number]>([
  ['a broken connection is opened once more', [breakOff, plant], 'plant', 2],
  ['a second broken connection is reported', [breakOff, breakOff], 'ECONNRESET', 2],
  ['a throttled request is repeated', [throttled, plant], 'plant', 2],
  ['the pauses of a service add up to its patience at most', [throttled, throttled], BODY, 2],
  ['what a proxy says is judged, and not repeated', [byProxy, plant], 'busy', 1],
])('%s', async (_, acts, response, requests) => {
  expect(await send(...acts)).toEqual({ response, requests, retries: requests - 1 });
});

const REFUSED = 'URL does not accept a valid plant: ';
test.each([
  [400, '{"error":40102,"message":"Not\u009b valid."}', `${REFUSED}40102: Not\u009b valid.`],
  [404, '<html>', `${REFUSED}status 404, text/any.`],
])('the first response %i %s: %s', async (status, body, problem) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'text/any' }).end(body));
  });
  const url = await listen(server);
  const service = new RunningService(url, TOKEN);
  await expect(requireService(service, bodyOf(1))).rejects.toThrow(problem.replace('URL', url));
  service.close();
  server.close();
});
