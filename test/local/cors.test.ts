import { afterAll, expect, test } from 'vitest';
import { errorOf } from '../../tools/service/judge-answer.ts';
import { sendHttp } from '../../tools/service/send-http.ts';
import { type Answer, contractViolations } from '../support/contract-runner.ts';
import { startHttpService } from '../support/http-service.ts';
import { answersIn, exchange, rawHead } from './raw-client.ts';

// What the function itself answers is in test/lambda/answer/cors.test.ts.

const FIRST = 'https://first.example';
const SECOND = 'https://second.example';
const { url, close } = await startHttpService({ allowedOrigins: [FIRST, SECOND] });
afterAll(close);

const corsOf = ({ headers }: Answer) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(access-control-.*|vary)$/.test(name)));

test('the answer to a preflight has neither a body nor its length', async () => {
  const headers = [
    ['Origin', SECOND],
    ['Access-Control-Request-Method', 'POST'],
  ] as const;
  const answer = await sendHttp(url, { method: 'OPTIONS', headers });
  expect(answer).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': SECOND,
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
    body: '',
  });
  expect(answer.headers['content-length']).toBeUndefined();
});

test.each([FIRST, SECOND, 'https://evil.example'])(
  'only the first origin can read what the gateway itself answers: request from %s',
  async (origin) => {
    const large = await sendHttp(url, {
      headers: [['Origin', origin]],
      body: Buffer.alloc(7_000_000, ' '),
    });
    const [broken] = answersIn(await exchange(url, rawHead('PLANT /plants', `Origin: ${origin}`)));
    const readable = {
      'access-control-allow-origin': FIRST,
      'access-control-expose-headers':
        'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate',
      vary: 'Origin',
    };
    expect([errorOf(large), corsOf(large), contractViolations(large)]).toEqual([41301, readable, []]);
    expect(broken && [errorOf(broken), corsOf(broken)]).toEqual([40000, readable]);
  },
);

test('without allowed origins, the gateway’s answers have no CORS headers', async () => {
  const service = await startHttpService();
  const body = Buffer.alloc(7_000_000, ' ');
  const large = await sendHttp(service.url, { headers: [['Origin', FIRST]], body });
  expect([errorOf(large), corsOf(large)]).toEqual([41301, {}]);
  await service.close();
});
