import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { bodyOf, LEAST } from '../contract/examples.ts';
import { sendHttp } from '../contract/send-http.ts';
import { startHttpService } from '../test/support/http-service.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** As in AWS's examples: 11 bytes in base64. */
const EXTENDED = /^[\w+/]{15}=$/;
const ORIGIN = 'https://second.example';

const lines: unknown[] = [];
const { url, close, token } = await startHttpService({
  log: (line) => lines.push(line),
  allowedOrigins: ['https://first.example', ORIGIN],
});
afterAll(close);

// contract/route-cases.ts has the usual methods and paths.
test.each([
  ['TRACE', '/plants'],
  ['POST', '/pl%61nts'],
  ['OPTIONS', '*'],
])('%s %s gets 40401', async (method, path) => {
  expect(await sendHttp(url, { method, path })).toBeRefused(40401);
});

test('the challenge is renamed, as API Gateway does', async () => {
  const { headers } = await sendHttp(url, { body: '{}' });
  expect(headers['www-authenticate']).toBeUndefined();
  expect(headers['x-amzn-remapped-www-authenticate']).toBe('Bearer realm="plant-store"');
});

test('a preflight gets neither a body nor its length', async () => {
  const headers = [
    ['Origin', ORIGIN],
    ['Access-Control-Request-Method', 'POST'],
  ] as const;
  const response = await sendHttp(url, { method: 'OPTIONS', headers });
  expect(response).toMatchObject({ status: 204, body: '' });
  expect(response.headers['access-control-allow-origin']).toBe(ORIGIN);
  expect(response.headers['content-length']).toBeUndefined();
});

test('what the gateway itself returns can be read by the first origin only; it logs one line without a path or a header', async () => {
  const headers = [['Origin', ORIGIN]] as const;
  const response = await sendHttp(url, { headers, body: Buffer.alloc(7_000_000, ' ') });
  expect(response).toBeRefused(41301);
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': 'https://first.example',
    'access-control-expose-headers':
      'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate',
    vary: 'Origin',
  });
  const ids = { request: expect.stringMatching(UUID), extendedRequestId: expect.stringMatching(EXTENDED) };
  expect(lines).toEqual([{ gateway: 'REQUEST_TOO_LARGE', error: 41301, ...ids }]);
});

describe.concurrent('a connection', () => {
  const connect = () => net.connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  const request = (id: number, rest = '') => {
    const body = bodyOf(id);
    const fields = `Authorization: Bearer ${token}\r\nContent-Length: ${body.length}`;
    return `POST /plants HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\n${body}${rest}`;
  };
  const STORED = `HTTP/1\\.1 200 OK\r\n[^]*${JSON.stringify(LEAST).replaceAll(/[^\w"]/g, '\\$&')}`;

  test.each([
    ['the rest of a body that is longer than its Content-Length', ', and more'],
    ['a rest of 3 MB', 'x'.repeat(3_000_000)],
  ])('gets the response to a request that is followed by %s, and then ends', async (_, rest) => {
    const socket = connect();
    socket.write(request(1, rest));
    const received = await text(socket);
    expect(received).toMatch(new RegExp(`^${STORED}$`));
    expect(received).not.toContain('Bad Request');
  });

  test('without a request gets 400, and ends', async () => {
    const socket = connect();
    socket.write('no request\r\n\r\n');
    expect(await text(socket)).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });

  test('with more cookies than Node reads gets 400, and the terminal says why', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const socket = connect();
    socket.write(`GET /docs HTTP/1.1\r\nHost: localhost\r\nCookie: a=${'x'.repeat(17_000)}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect(printed.mock.calls.flat()).toEqual([expect.stringMatching(/larger than 16 KB.+cookies/)]);
  });

  // Node announces in `Keep-Alive` when it closes an idle connection: without this header, never.
  test('takes another request', async () => {
    const socket = connect();
    for (const id of [2, 3]) {
      socket.write(request(id));
      const [received] = await once(socket, 'data');
      expect(String(received)).toMatch(new RegExp(`^${STORED}`));
      expect(String(received)).not.toMatch(/^Keep-Alive:/im);
    }
    socket.destroy();
  });
});
