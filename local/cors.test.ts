import { afterAll, expect, test } from 'vitest';
import { sendHttp } from '../commands/shared/send-http.ts';
import { contractViolations, errorOf, type HttpResponse } from '../contract/judge-response.ts';
import { startHttpService } from '../test/support/http-service.ts';

// What the function itself returns is in test/lambda/response/cors.test.ts.

const FIRST = 'https://first.example';
const SECOND = 'https://second.example';
/** The gateway itself refuses it. */
const LARGE = Buffer.alloc(7_000_000, ' ');
const { url, close } = await startHttpService({ allowedOrigins: [FIRST, SECOND] });
afterAll(close);

const corsOf = ({ headers }: HttpResponse) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(access-control-.*|vary)$/.test(name)));

test('a preflight gets the headers that it asks for, and neither a body nor its length', async () => {
  const headers = [
    ['Origin', SECOND],
    ['Access-Control-Request-Method', 'POST'],
    ['Access-Control-Request-Headers', 'authorization,baggage,sentry-trace'],
  ] as const;
  const response = await sendHttp(url, { method: 'OPTIONS', headers });
  expect([response.status, response.headers['access-control-allow-origin']]).toEqual([204, SECOND]);
  expect(response.headers['access-control-allow-headers']).toBe(
    'authorization, content-type, baggage, sentry-trace',
  );
  expect(response.body).toBe('');
  expect(response.headers['content-length']).toBeUndefined();
});

test.each([FIRST, SECOND, 'https://evil.example'])(
  'only the first origin can read what the gateway itself returns: request from %s',
  async (origin) => {
    const large = await sendHttp(url, { headers: [['Origin', origin]], body: LARGE });
    const readable = {
      'access-control-allow-origin': FIRST,
      'access-control-expose-headers':
        'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate',
      vary: 'Origin',
    };
    expect([errorOf(large), corsOf(large), contractViolations(large)]).toEqual([41301, readable, []]);
  },
);
