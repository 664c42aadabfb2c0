import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { sendHttp } from '../contract/send-http.ts';
import { npmRun } from '../test/support/run-command.ts';
import { startDynalite } from './dynalite-server.ts';

describe('the embedded store responds only those who know its access key', async () => {
  const { endpoint, accessKeyId, close } = await startDynalite();
  afterAll(close);

  type Headers = [name: string, value: string][];
  const headersOf = (key = accessKeyId): Headers => [
    ['content-type', 'application/x-amz-json-1.0'],
    ['x-amz-target', 'DynamoDB_20120810.ListTables'],
    ['x-amz-date', '20260101T000000Z'],
    [
      'authorization',
      `AWS4-HMAC-SHA256 Credential=${key}/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
    ],
  ];
  const send = (changes: { method?: string; headers?: Headers }) =>
    sendHttp(endpoint, { path: '/', headers: headersOf(), body: '{}', ...changes });

  test('it listens on 127.0.0.1, and on no other address of this machine', async () => {
    const all = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
    // Linux has all of 127.0.0.0/8.
    for (const host of ['127.0.0.1', '127.0.0.2', '::1', ...all]) {
      const socket = connect({ host, port: Number(new URL(endpoint).port) });
      const opened = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      expect([host, opened]).toEqual([host, host === '127.0.0.1']);
      socket.destroy();
    }
  });

  test.each<[what: string, request: Parameters<typeof send>[0]]>([
    ['an access key id of other tools', { headers: headersOf('local') }],
    ['no Authorization header', { headers: headersOf().slice(0, 3) }],
    // dynalite itself allows the pages of all origins.
    ['a preflight', { method: 'OPTIONS', headers: [['origin', 'http://example.com']] }],
  ])('%s is refused', async (_, request) => {
    const { status, body, headers } = await send(request);
    expect([status, body]).toEqual([400, expect.stringContaining('UnrecognizedClientException')]);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a client that disconnects in the middle of a request does not end the store', async () => {
    const socket = connect(Number(new URL(endpoint).port), '127.0.0.1');
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

// Each as the next version of dynalite may be.
test.each([
  ['putItem.types', 'validations/putItem.js', 'export default {}'],
  ['db.checkConditional', 'db/index.js', 'export default { create() {} }'],
])('npm start says in one line that dynalite has no %s, which it patches', async (member, file, source) => {
  const replaced = JSON.stringify({ format: 'module', source, shortCircuit: true });
  const load = `(url, context, next) => url.endsWith('/dynalite/${file}') ? ${replaced} : next(url, context)`;
  const hook = `import { registerHooks } from 'node:module'; registerHooks({ load: ${load} });`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
  const ended = await npmRun('start', ['--memory', '--port', '0'], { env });
  const message = `The embedded store cannot be used: this version of dynalite has no ${member}, which local/patched-dynalite.ts patches.\n`;
  expect(ended).toMatchObject({ code: 1, out: '', err: message });
});
