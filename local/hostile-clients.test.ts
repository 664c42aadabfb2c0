import { afterAll, describe, expect, test, vi } from 'vitest';
import { bodyOf, LEAST } from '../contract/examples.ts';
import { contractViolations, type HttpResponse } from '../test/support/contract-runner.ts';
import { someOf } from '../test/support/exhaustive.ts';
import { startLocalProcess } from '../test/support/local-process.ts';
import { DEPARTURES, exchange, rawHead, rawPost, responsesIn } from '../test/support/raw-client.ts';

const PLANT = bodyOf(1);

const server = await startLocalProcess();
afterAll(() => server.end());

describe('no client can end npm start', () => {
  /** Retries, because on a busy machine a hundred requests at once can exceed the function's time limits. */
  const expectAlive = () =>
    vi.waitFor(async () => expect(await server.post(PLANT)).toMatchObject({ status: 200 }), 30_000);

  const whole = rawPost(server.token, PLANT);
  const requests = {
    CONNECT: rawHead('CONNECT plants:443'),
    'an upgrade': rawHead('GET /plants', 'Connection: Upgrade', 'Upgrade: websocket'),
    garbage: '\u0000\u0001\u0002 garbage\r\n\r\n',
    'an unfinished body': whole.slice(0, -5),
    'an unfinished chunk': `${rawHead('POST /plants', 'Transfer-Encoding: chunked')}ff\r\n{`,
    'unfinished headers': 'POST /plants HTTP/1.1\r\nHost:',
    'a whole request': whole,
    'a request and surplus bytes': `${whole}surplus\r\n\r\n`,
    'a request and CONNECT': whole + rawHead('CONNECT x:1'),
    'a page': rawHead('GET /docs/swagger-ui-bundle.js'),
  };
  const rows = Object.entries(requests).flatMap(([what, text]) =>
    Object.entries(DEPARTURES).map(([how, leave]) => [what, how, text, leave] as const),
  );
  test.each(someOf(rows, 'departures of hostile clients'))('%s and %s', async (what, _, text, leave) => {
    // Fewer of the valid ones, which cost most of the time; a page has 1.5 MB, so that clients leave in its middle.
    const times = /^a (whole request|page)$/.test(what) ? 10 : 100;
    // The port of the store is open to every program on this machine, too.
    for (const url of [server.url, server.endpoint])
      await Promise.all(Array.from({ length: times }, () => leave(url, text)));
    await expectAlive();
  });

  test('500 connections at once get responses without an error', async () => {
    const posts = Array.from({ length: 500 }, (_, n) => server.post(bodyOf(n)));
    const failed = (await Promise.all(posts)).filter(({ status }) => status !== 200);
    expect(failed.map(({ body }) => body)).toEqual([]);
  });
});

describe('a client gets the responses to its requests, whatever it sends', () => {
  const post = (id: number) => rawPost(server.token, bodyOf(id));
  const FERN = `200 ${JSON.stringify(LEAST)}`;
  const BROKEN = `${rawHead('POST /plants', 'Transfer-Encoding: chunked')}zz\r\n`;
  const REFUSED = '400 {"error":40000';
  const refused = (number: number) => `400 {"error":${number}`;
  test.each<[what: string, text: string, responses: string[]]>([
    ['its half of the connection closed after the request, as by nc -N', post(1), [FERN]],
    ['its half closed in the middle of the body', post(2).slice(0, -1), [REFUSED]],
    // Unreadable bytes after a request that got a response end the connection; a second response would confuse the client.
    ['surplus bytes', `${post(3)}surplus bytes\r\n\r\n`, [FERN]],
    ['one byte more than Content-Length', `${post(4)}x`, [FERN]],
    ['CONNECT after its request', post(5) + rawHead('CONNECT plants:443'), [FERN]],
    ['a broken chunk after its request', post(6) + BROKEN, [FERN, REFUSED]],
    ['garbage', '\u0000\u0001\u0002 garbage\r\n\r\n', [REFUSED]],
    ['an unknown method', rawHead('PLANT /plants'), [REFUSED]],
    ['no Host header', 'POST /plants HTTP/1.1\r\nContent-Length: 0\r\n\r\n', [refused(40101)]],
    ['an unknown expectation', rawHead('POST /plants', 'Expect: unknown', 'Content-Length: 0'), [REFUSED]],
    ['CONNECT', rawHead('CONNECT plants:443'), [REFUSED]],
    ['an upgrade', rawHead('GET /plants', 'Connection: Upgrade', 'Upgrade: websocket'), [refused(40401)]],
    ['headers that are too long', rawHead('POST /plants', `A: ${'a'.repeat(20_000)}`), [REFUSED]],
    ['a body of two lengths', rawHead('POST /plants', 'Content-Length: 1', 'Content-Length: 2'), [REFUSED]],
    ['an absolute address', rawHead('POST http://x/plants', 'Content-Length: 0'), [refused(40101)]],
  ])('%s', async (_, text, expected) => {
    const responses = responsesIn(await exchange(server.url, text, { halfClose: true }));
    const short = ({ status, body }: HttpResponse) => `${status} ${body.replace(/,"message.*/, '')}`;
    expect(responses.map(short)).toEqual(expected);
    expect(responses.flatMap(contractViolations)).toEqual([]);
  });
});
