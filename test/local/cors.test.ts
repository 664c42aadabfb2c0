import { afterAll, describe, expect, test } from 'vitest';
import { errorOf } from '../../tools/service/judge-answer.ts';
import { sendHttp } from '../../tools/service/send-http.ts';
import { type Answer, contractViolations } from '../support/contract-runner.ts';
import { startTestService } from '../support/test-service.ts';
import { answersIn, exchange, rawHead, startGateway } from './raw-client.ts';

const FIRST = 'https://first.example';
const SECOND = 'https://second.example';

/** The headers with which pages of an origin may read an answer. */
const readableBy = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers':
    'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate',
  vary: 'Origin',
});

const corsOf = ({ headers }: Answer) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(access-control-.*|vary)$/.test(name)));

/** Starts the function behind a gateway. */
async function start(allowedOrigins?: readonly string[]) {
  const service = await startTestService({ allowedOrigins });
  const { gateway, url } = await startGateway(service.handler, { allowedOrigins, log: () => undefined });
  const close = async () => {
    gateway.close();
    await service.close();
  };
  return { url, token: service.token, close };
}

const preflight = (url: string, origin: string, path = '/plants') =>
  sendHttp(url, {
    method: 'OPTIONS',
    path,
    headers: [
      ['Origin', origin],
      ['Access-Control-Request-Method', 'POST'],
      ['Access-Control-Request-Headers', 'authorization,content-type'],
    ],
  });

describe('for allowed origins', async () => {
  const { url, token, close } = await start([FIRST, SECOND]);
  afterAll(close);

  test.each([FIRST, SECOND])(
    '%s gets its preflight answered without a token, and reads the answers',
    async (origin) => {
      for (const path of ['/plants', '/', '/elsewhere/plants']) {
        const preflighted = await preflight(url, origin, path);
        expect(preflighted).toMatchObject({ status: 204, body: '' });
        expect(preflighted.headers['content-length']).toBeUndefined();
        expect(preflighted.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
        expect(corsOf(preflighted)).toEqual({
          ...readableBy(origin),
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'authorization, content-type',
          'access-control-max-age': '7200',
        });
      }
      const headers: [string, string][] = [
        ['Origin', origin],
        ['Authorization', `Bearer ${token}`],
      ];
      const created = await sendHttp(url, { headers, body: '{"id":1,"name":"Fern"}' });
      expect([created.status, corsOf(created)]).toEqual([200, readableBy(origin)]);
      const anonymous = await sendHttp(url, { headers: [['Origin', origin]], body: '{}' });
      expect([errorOf(anonymous), corsOf(anonymous)]).toEqual([40101, readableBy(origin)]);
      expect([created, anonymous].flatMap(contractViolations)).toEqual([]);
    },
  );

  test('another origin gets the answers that it would get without CORS', async () => {
    const preflighted = await preflight(url, 'https://evil.example');
    expect([errorOf(preflighted), corsOf(preflighted)]).toEqual([40401, { vary: 'Origin' }]);
    expect(contractViolations(preflighted)).toEqual([]);
  });

  test.each([FIRST, SECOND, 'https://evil.example'])(
    'only the first origin can read what the gateway itself answers: request from %s',
    async (origin) => {
      const large = await sendHttp(url, {
        headers: [['Origin', origin]],
        body: Buffer.alloc(7_000_000, ' '),
      });
      expect([errorOf(large), corsOf(large)]).toEqual([41301, readableBy(FIRST)]);
      expect(contractViolations(large)).toEqual([]);
      const back = await exchange(url, rawHead('PLANT /plants', `Origin: ${origin}`));
      const [broken] = answersIn(back);
      expect(broken && [errorOf(broken), corsOf(broken)]).toEqual([40000, readableBy(FIRST)]);
    },
  );
});

test('without allowed origins, a preflight gets 40401, and the gateway’s answers have no CORS headers', async () => {
  const { url, close } = await start();
  const preflighted = await preflight(url, FIRST);
  const large = await sendHttp(url, { headers: [['Origin', FIRST]], body: Buffer.alloc(7_000_000, ' ') });
  expect([errorOf(preflighted), corsOf(preflighted)]).toEqual([40401, {}]);
  expect([errorOf(large), corsOf(large)]).toEqual([41301, {}]);
  await close();
});
