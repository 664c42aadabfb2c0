import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from '../../test/support/listen.ts';
import { RunningService } from './running-service.ts';

type Act = (response: ServerResponse) => unknown;

/** Sends one request to a service that does this, act by act; then it returns 200, so that no client repeats for ever. */
async function send(...acts: Act[]): Promise<{ response: unknown; requests: number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    const act = acts[requests] ?? ((last: ServerResponse) => last.end('too many'));
    requests += 1;
    request.resume().on('end', () => act(response));
  });
  const service = new RunningService(await listen(server), `plants_${'0'.repeat(49)}`);
  const response = await service.create('{}').then(
    ({ body }) => body,
    ({ code }) => code,
  );
  service.close();
  server.close();
  return { response, requests };
}
const breakOff: Act = ({ socket }) => socket?.destroy();
const later =
  (seconds: string): Act =>
  (response) =>
    response.writeHead(400, { 'retry-after': seconds }).end(`after ${seconds} s`);
const plant: Act = (response) => response.end('plant');

test.concurrent.each<[string, Act[], response: string, requests: number]>([
  ['a broken connection is opened once more', [breakOff, plant], 'plant', 2],
  ['a second broken connection is reported', [breakOff, breakOff], 'ECONNRESET', 2],
  ['a break after a throttled response is reported', [later('1'), breakOff], 'ECONNRESET', 2],
  ['a throttled request is repeated', [later('1'), later('1'), plant], 'plant', 3],
  ['the pauses of a service add up to a minute at most', [later('1'), later('60')], 'after 60 s', 2],
  ['a response that asks for more than a minute is the response', [later('61')], 'after 61 s', 1],
  ['a pause that is not in whole seconds is none', [later('0.5')], 'after 0.5 s', 1],
  ['a response that asks for no pause is the response', [later('0')], 'after 0 s', 1],
])('%s', async (_, acts, response, requests) => {
  expect(await send(...acts)).toEqual({ response, requests });
});
