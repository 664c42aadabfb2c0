import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { sendHttp } from '../commands/shared/send-http.ts';
import { startLocalProcess } from '../test/support/local-process.ts';
import { startEmbeddedStore } from './embedded-store.ts';

test('the access key id of a store is 32 hex digits, and different for each start', async () => {
  const stores = [await startEmbeddedStore(), await startEmbeddedStore()];
  const [first, second] = stores.map(({ accessKeyId }) => accessKeyId);
  for (const id of [first, second]) expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(first).not.toBe(second);
  for (const store of stores) await store.close();
});

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
  const send = (changes: { method?: string; headers?: Headers; body?: string }) =>
    sendHttp(server.endpoint, { path: '/', headers: headersOf(), body: '{}', ...changes });

  test('it and the service listen on 127.0.0.1, and on no other address of this machine', async () => {
    const others = Object.values(networkInterfaces()).flatMap((all = []) =>
      all.map(({ address }) => address),
    );
    for (const url of [server.endpoint, server.url]) {
      const port = Number(new URL(url).port);
      expect(await isOpen('127.0.0.1', port)).toBe(true);
      // Linux has all of 127.0.0.0/8.
      for (const host of [...others.filter((each) => each !== '127.0.0.1'), '127.0.0.2', '::1'])
        expect(await isOpen(host, port), `${host} of ${url}`).toBe(false);
    }
  });

  test.each<[what: string, request: () => Parameters<typeof send>[0]]>([
    ['an access key id of other tools', () => ({ headers: headersOf('local') })],
    ['a long access key id', () => ({ headers: headersOf('x'.repeat(200)) })],
    ['an access key id of zeros', () => ({ headers: headersOf('0'.repeat(32)) })],
    ['no Authorization header', () => ({ headers: withoutToken() })],
    ['a bearer token', () => ({ headers: [...withoutToken(), ['authorization', `Bearer ${server.token}`]] })],
    ['an Origin', () => ({ headers: [...headersOf(), ['origin', 'http://127.0.0.1:3000']] })],
    ['a preflight', () => ({ method: 'OPTIONS', headers: [['origin', 'http://example.com']] })],
    ['another method', () => ({ method: 'PUT' })],
  ])('%s is refused', async (_, request) => {
    const { status, body, headers } = await send(request());
    expect([status, body]).toEqual([400, expect.stringContaining('UnrecognizedClientException')]);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test.each(['null', '[]', '', '{'])('the body %s is refused, and the store continues', async (body) => {
    const response = await send({ body });
    expect([response.status, response.body]).toEqual([400, expect.stringContaining('SerializationExc')]);
    expect((await send({})).status).toBe(200);
  });
});
