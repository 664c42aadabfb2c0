import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { sendHttp } from '../commands/shared/send-http.ts';
import { startLocalProcess } from '../test/support/local-process.ts';

/** Whether something listens at an address. */
const isOpen = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port }, () => resolve(true)).on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

describe('the embedded store responds only those who can read the data folder', async () => {
  const server = await startLocalProcess();
  afterAll(() => server.end());

  type Headers = [name: string, value: string][];
  const headersOf = (accessKeyId = server.credentials.accessKeyId): Headers => [
    ['content-type', 'application/x-amz-json-1.0'],
    ['x-amz-target', 'DynamoDB_20120810.ListTables'],
    ['x-amz-date', '20260101T000000Z'],
    [
      'authorization',
      `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
    ],
  ];
  const withoutToken = () => headersOf().slice(0, 3);
  const send = (changes: { method?: string; headers?: Headers }) =>
    sendHttp(server.endpoint, { path: '/', headers: headersOf(), body: '{}', ...changes });

  test('it and the service listen on 127.0.0.1, and on no other address of this machine', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
      all.map(({ address }) => address),
    );
    for (const url of [server.endpoint, server.url]) {
      const port = Number(new URL(url).port);
      expect(await isOpen('127.0.0.1', port)).toBe(true);
      // Linux has all of 127.0.0.0/8.
      for (const host of [...addresses.filter((each) => each !== '127.0.0.1'), '127.0.0.2', '::1'])
        expect(await isOpen(host, port), `${host} of ${url}`).toBe(false);
    }
  });

  test.each<[what: string, request: () => Parameters<typeof send>[0]]>([
    ['an access key id of other tools', () => ({ headers: headersOf('local') })],
    ['no Authorization header', () => ({ headers: withoutToken() })],
    ['a bearer token', () => ({ headers: [...withoutToken(), ['authorization', `Bearer ${server.token}`]] })],
    // dynalite itself allows the pages of all origins.
    ['a preflight', () => ({ method: 'OPTIONS', headers: [['origin', 'http://example.com']] })],
  ])('%s is refused', async (_, request) => {
    const { status, body, headers } = await send(request());
    expect([status, body]).toEqual([400, expect.stringContaining('UnrecognizedClientException')]);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a client that disconnects in the middle of a request does not end the store', async () => {
    const socket = connect(Number(new URL(server.endpoint).port), '127.0.0.1');
    const head = headersOf().map((header) => header.join(': '));
    const lines = ['POST / HTTP/1.1', 'host: x', 'content-length: 9', 'expect: 100-continue', ...head];
    socket.write(`${lines.join('\r\n')}\r\n\r\n{`);
    await once(socket, 'data');
    socket.destroy();
    await once(socket, 'close');
    expect((await send({})).status).toBe(200);
    expect((await send({})).status).toBe(200);
  });
});
