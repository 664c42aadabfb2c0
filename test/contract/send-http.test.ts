import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { derivedTokens, headersOf, isToken, withChecksum } from '../../contract/placeholders.ts';
import { causeOf, type HttpRequest, sendHttp } from '../../operate/send-http.ts';
import { listen } from '../support/listen.ts';

/** Sends a request. @returns the bytes on the wire, and the response */
async function exchange(base: string, request: HttpRequest): Promise<[sent: string, response: unknown]> {
  let sent = '';
  const server = createServer((socket) => {
    socket.setEncoding('latin1').on('data', (text) => {
      sent += text;
      const response = 'HTTP/1.1 299 Any\r\nX-A: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\n\u00ffz';
      socket.end(Buffer.from(response, 'latin1'));
    });
  });
  const address = await listen(server);
  const response = await sendHttp(address + base, request);
  server.close();
  return [sent.replaceAll(new URL(address).port, 'PORT'), response];
}

test('sends only the given headers, repeated ones too, with the host and the length in bytes', async () => {
  const headers = [
    ['A', '1'],
    ['A', '2'],
  ] as const;
  const [sent, response] = await exchange('/prod/', { headers, body: 'é' });
  const lines = ['host: 127.0.0.1:PORT', 'A: 1', 'A: 2', 'content-length: 2', 'Connection: close'];
  expect(sent).toBe(['POST /prod/plants HTTP/1.1', ...lines, '', 'Ã©'].join('\r\n'));
  expect(response).toEqual({
    status: 299,
    headers: { 'x-a': 'b', 'content-length': '2', connection: 'close' },
    body: '\ufffdz',
    bytes: Buffer.from([0xff, 0x7a]),
  });
});

test('sends another method and path, and no length without a body', async () => {
  const [sent] = await exchange('', { method: 'GET', path: '/x?y=1' });
  expect(sent).toBe('GET /x?y=1 HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n');
});

test.each([
  [{ name: 'TimeoutError', message: 'late' }, 'none within 60 s'],
  [{ name: 'Error', code: 'ABORT_ERR', message: 'aborted' }, 'none within 60 s'],
  [{ name: 'Error', code: 'ECONNRESET', message: 'reset' }, 'ECONNRESET'],
  [{ name: 'Error', message: 'reset' }, 'reset'],
])('the cause of a missing response: %o', (error, cause) => {
  expect(causeOf(error)).toBe(cause);
});

// Computed with Python's zlib and integers, not with the code of the service.
test.each([
  ['123456789', '3jZRME'],
  ['c', '07dU35'],
  ['', '000000'],
])('the checksum of "%s" is %s', (body, checksum) => {
  expect(withChecksum(body)).toBe(body + checksum);
});

const BODY = `plants_${'0'.repeat(43)}`;
const TOKEN = withChecksum(BODY);

test.each([
  [TOKEN, true],
  [withChecksum(`plants_${'7'.repeat(43)}`), true],
  [derivedTokens(TOKEN).mistyped, false],
  [withChecksum(BODY.slice(0, -1)), false],
  [withChecksum(`${BODY}0`), false],
  [withChecksum(`x${BODY}`), false],
  [` ${TOKEN}`, false],
  [`${TOKEN} `, false],
  ['plants_', false],
])('whether %s is a token: %s', (text, expected) => {
  expect(isToken(text)).toBe(expected);
});

test('the tokens that are derived from a valid one: unknown, with a wrong end, and its digest', () => {
  expect(derivedTokens('abc')).toEqual({
    token: 'abc',
    unknown: withChecksum(`plants_${'7'.repeat(43)}`),
    mistyped: 'ab0',
    // FIPS 180-2, appendix B.1.
    digest: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  });
  expect(derivedTokens('plants_0').mistyped).toBe('plants_1');
});

test('placeholders are replaced, everywhere in the values of headers', () => {
  const tokens = { token: 't', digest: 'd' };
  const headers = (value: string) => headersOf({ headers: [['{token}', value]] }, tokens);
  expect(headers('Bearer {token}, {digest}{token}')).toEqual([['{token}', 'Bearer t, dt']]);
  expect(headers('{}')).toEqual([['{token}', '{}']]);
  expect(() => headers('{expired}')).toThrow(/^this run has no expired token$/);
});
