import { afterAll, describe, expect, test } from 'vitest';
import { sendHttp } from '../../tools/verify/send-http.ts';
import { contractViolations } from '../support/contract-runner.ts';
import { startLocalProcess } from '../support/local-process.ts';
import { answersIn, DEPARTURES, exchange, rawPost } from './raw-client.ts';

const PLANT = '{"id":1,"name":"Fern"}';

const server = await startLocalProcess();
afterAll(() => server.end());

describe('nothing that a client sends ends npm start', () => {
  /** Retries, because on a busy machine a hundred requests at once can exceed the function's time limits. */
  async function expectAlive(): Promise<void> {
    let answer = await server.post(PLANT);
    for (let attempt = 0; attempt < 10 && answer.headers['retry-after']; attempt += 1)
      answer = await server.post(PLANT);
    expect(answer).toMatchObject({ status: 200, body: '{"name":"Fern"}' });
  }

  test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', '__defineGetter__'])(
    'a header named %s is an ordinary header',
    async (name) => {
      const bare = await sendHttp(server.url, { headers: [[name, 'x']], body: PLANT });
      expect(contractViolations(bare)).toEqual([]);
      expect(bare.body).toContain('40101');
      const twice = [
        [name, 'x'],
        [name, 'y'],
      ] as const;
      expect(await server.post(PLANT, twice)).toMatchObject({ status: 200 });
    },
  );

  test.each(['constructor', '__proto__'])('a query parameter named %s is ignored', async (name) => {
    const headers: [string, string][] = [['authorization', `Bearer ${server.token}`]];
    const path = `/plants?${name}=x&${name}=y`;
    expect(await sendHttp(server.url, { path, headers, body: PLANT })).toMatchObject({ status: 200 });
  });

  const requests: [string, (token: string) => string][] = [
    ['CONNECT', () => 'CONNECT plants:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'an upgrade',
      () => 'GET /plants HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['garbage', () => '\u0000\u0001\u0002 garbage\r\n\r\n'],
    ['an unfinished body', (token) => rawPost(token, PLANT).slice(0, -5)],
    [
      'an unfinished chunk',
      () => 'POST /plants HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{',
    ],
    ['unfinished headers', () => 'POST /plants HTTP/1.1\r\nHost:'],
    ['a whole request', (token) => rawPost(token, PLANT)],
    ['a request and surplus bytes', (token) => `${rawPost(token, PLANT)}surplus\r\n\r\n`],
    ['a request and CONNECT', (token) => `${rawPost(token, PLANT)}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a page', () => 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'],
  ];
  for (const [what, text] of requests) {
    test.each(Object.entries(DEPARTURES))(`a hundred of ${what} and %s`, async (_, leave) => {
      const hundred = Array.from({ length: 100 }, () => leave(server.url, text(server.token)));
      await Promise.all(hundred);
      await expectAlive();
    });
  }
});

describe('a client gets the answers to its requests', () => {
  const post = (id: number) => rawPost(server.token, `{"id":${id},"name":"Fern"}`);
  const FERN = '200 {"name":"Fern"}';
  const short = (back: string) =>
    answersIn(back).map(({ status, body }) => `${status} ${body.slice(0, 30).replace(/,"message.*/, '')}`);

  test('one that closes its half of the connection after the request, as nc -N does', async () => {
    const { back, isClosed } = await exchange(server.url, post(1), { halfClose: true });
    expect(short(back)).toEqual([FERN]);
    expect(isClosed).toBe(true);
  });

  test('one that closes its half in the middle of the body', async () => {
    const { back, isClosed } = await exchange(server.url, post(2).slice(0, -1), { halfClose: true });
    expect(short(back)).toEqual(['400 {"error":40000']);
    expect(contractViolations(answersIn(back)[0] ?? (null as never))).toEqual([]);
    expect(isClosed).toBe(true);
  });

  // What cannot be read follows a request that was answered: the connection ends, and no second answer confuses it.
  test.each([
    ['surplus bytes', 'surplus bytes\r\n\r\n'],
    ['one byte more than Content-Length', 'x'],
    ['CONNECT', 'CONNECT plants:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s behind a valid request do not take its answer away', async (_, surplus) => {
    const { back, isClosed } = await exchange(server.url, post(3) + surplus, { halfClose: surplus === 'x' });
    expect(short(back)).toEqual([FERN]);
    expect(isClosed).toBe(true);
  });

  test('surplus bytes after three requests do not lose their answers', async () => {
    const { back, isClosed } = await exchange(server.url, `${post(4)}${post(5)}${post(6)}surplus\r\n\r\n`);
    expect(short(back)).toEqual([FERN, FERN, FERN]);
    expect(isClosed).toBe(true);
  });

  test('a broken chunk after a valid request is refused after the answer', async () => {
    const broken = 'POST /plants HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
    const { back, isClosed } = await exchange(server.url, `${post(7)}${broken}`);
    expect(short(back)).toEqual([FERN, '400 {"error":40000']);
    expect(answersIn(back)[1]?.headers.connection).toBe('close');
    expect(isClosed).toBe(true);
  });
});
