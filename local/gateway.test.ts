import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { sendHttp } from '../commands/shared/send-http.ts';
import { bodyOf, LEAST } from '../contract/examples.ts';
import { contractViolations, errorOf } from '../contract/judge-response.ts';
import { startHttpService } from '../test/support/http-service.ts';
import { responsePage } from './api-page.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** As in AWS's examples: 11 bytes in base64. */
const EXTENDED = /^[\w+/]{15}=$/;

const lines: unknown[] = [];
const { url, close, token } = await startHttpService({ responsePage, log: (line) => lines.push(line) });
afterAll(close);

// contract/cases.yaml has the usual methods and paths. The last ones are near those of the page.
test.each([
  ['TRACE', '/plants'],
  ['POST', '/../plants'],
  ['POST', '/pl%61nts'],
  ['OPTIONS', '*'],
  ['GET', '/docs/'],
  ['GET', '/docs/../local/start.ts'],
  ['GET', '/constructor'],
  ['OPTIONS', '/docs'],
])('%s %s gets 40401, with an Authorization header too', async (method, path) => {
  for (const headers of [[], [['authorization', 'Bearer x']]] as [string, string][][]) {
    const response = await sendHttp(url, { method, path, headers });
    expect([errorOf(response), contractViolations(response)]).toEqual([40401, []]);
  }
});

test('HEAD gets the status and the headers', async () => {
  expect(await sendHttp(url, { method: 'HEAD' })).toMatchObject({ status: 400, body: '' });
});

test('the challenge is renamed, as API Gateway does', async () => {
  const { headers } = await sendHttp(url, { body: '{}' });
  expect(headers['www-authenticate']).toBeUndefined();
  expect(headers['x-amzn-remapped-www-authenticate']).toBe('Bearer realm="plant-store"');
});

test('a response of the gateway logs one line without a path or a header', async () => {
  await sendHttp(url, { body: Buffer.alloc(7_000_000, ' ') });
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
    ['a whole request and a rest', request(1, 'no request\r\n\r\n')],
    ['a request whose header has no name', 'POST /plants HTTP/1.1\r\n: x\r\n\r\n'],
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
