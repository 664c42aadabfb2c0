import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PlainError } from '../../../infra/plain-error.ts';
import { Pace } from '../../../tools/import/pace.ts';
import { plantSender } from '../../../tools/import/sender.ts';
import { type Behaviour, FERN, refusal, startScriptedService } from '../../client/scripted-service.ts';
import { listen } from '../../support/listen.ts';

const PLANT = { id: 1n, name: 'Fern' };

afterEach(() => vi.restoreAllMocks());

/** Sends the same plant again and again to a scripted service. @returns the outcome of each, and the number of requests */
async function send(count: number, ...script: Behaviour[]) {
  const service = await startScriptedService(...script);
  const sender = plantSender({ url: service.url, token: 'token' }, new Pace(1), new AbortController().signal);
  const outcomes = await Promise.allSettled(Array.from({ length: count }, () => sender(PLANT)));
  await service.close();
  const seen = outcomes.map((each) =>
    each.status === 'rejected' ? each.reason : (each.value?.error ?? 'stored'),
  );
  return { url: service.url, seen, requests: service.requests.length };
}

test('a plant is stored, or refused with an error that concerns its line', async () => {
  const refusals = [40001, 40002, 40901, 41301];
  const { seen, requests } = await send(5, FERN, ...refusals.map((error) => refusal(error)));
  expect([seen, requests]).toEqual([['stored', ...refusals], 5]);
});

describe('no request is repeated after', () => {
  const html = { status: 200, body: '<html>' };
  test.each([
    ['a wrong token', refusal(40102), 'answers 40102: Message 40102.'],
    ['an unknown operation', refusal(40401), 'answers 40401: Message 40401.'],
    ['a fault in the service', refusal(50001), 'answers 50001: Message 50001.'],
    ['a web page', html, 'answers 50401: The answer (status 200) did not come from the service'],
    ['a status of 404', { status: 404, body: '' }, 'answers 40000: The answer (status 404) did not come'],
  ])('%s', async (_, behaviour, sentence) => {
    const { url, seen, requests } = await send(1, behaviour);
    expect([seen, requests]).toEqual([[expect.any(PlainError)], 1]);
    expect(String(seen[0])).toContain(`${url} ${sentence}`);
  });

  test('a refused connection', async () => {
    const signal = new AbortController().signal;
    const sender = plantSender({ url: 'http://127.0.0.1:9', token: 'token' }, new Pace(1), signal);
    await expect(sender(PLANT)).rejects.toThrow(
      new PlainError('http://127.0.0.1:9 cannot be reached (ECONNREFUSED).'),
    );
  });
});

test('requests are repeated until no plant has been stored or refused for a minute', async () => {
  // Without jitter, the client pauses for 250 ms.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const again = refusal(50301, { 'retry-after': '0' });
  expect((await send(2, FERN, again, FERN)).seen).toEqual(['stored', 'stored']);
  now.mockReturnValueOnce(0).mockReturnValue(61_000);
  const { url, seen } = await send(1, again);
  expect(seen).toEqual([new PlainError(`${url} answers 50301: Message 50301.`)]);
});

test.each([42901, 50301])('after %i fewer requests are in flight', async (error) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const pace = new Pace(8);
  let received = 0;
  let inFlight = 0;
  let mostAtTheEnd = 0;
  const eightAtOnce = Promise.withResolvers<void>();
  const server = http.createServer(async (request, response) => {
    request.resume().on('error', () => undefined);
    received += 1;
    inFlight += 1;
    const isThrottled = received > 8 && received <= 16;
    if (received > 16) mostAtTheEnd = Math.max(mostAtTheEnd, inFlight);
    if (received === 16) eightAtOnce.resolve();
    // Never answers if fewer than eight requests are sent at once.
    await (isThrottled ? eightAtOnce.promise : pause(20));
    inFlight -= 1;
    response.writeHead(isThrottled ? 400 : 200, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(isThrottled ? `{"error":${error},"message":"Slower."}` : '{"name":"Fern"}');
  });
  const url = await listen(server);
  const sender = plantSender({ url, token: 'token' }, pace, new AbortController().signal);
  for (let count = 0; count < 8; count += 1) await sender(PLANT);
  expect(pace.limit).toBe(8);
  await Promise.all(Array.from({ length: 8 }, () => sender(PLANT)));
  server.closeAllConnections();
  server.close();
  // Half of eight, and one more for each round of answers.
  expect([received, pace.limit]).toEqual([24, 5]);
  expect(mostAtTheEnd).toBeLessThanOrEqual(5);
});
