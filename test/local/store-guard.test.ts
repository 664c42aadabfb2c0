import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { sendHttp } from '../../tools/verify/send-http.ts';
import { startLocalProcess } from '../support/local-process.ts';
import { DEPARTURES } from './raw-client.ts';

describe('the embedded store answers only those who can read the data folder', async () => {
  const server = await startLocalProcess();
  afterAll(() => server.end());

  const client = (accessKeyId: string) =>
    new DynamoDBClient({
      endpoint: server.endpoint,
      region: 'local',
      credentials: { accessKeyId, secretAccessKey: 'any' },
    });
  const rightHeaders = (): [string, string][] => [
    ['content-type', 'application/x-amz-json-1.0'],
    ['x-amz-target', 'DynamoDB_20120810.ListTables'],
    ['x-amz-date', '20260101T000000Z'],
    [
      'authorization',
      `AWS4-HMAC-SHA256 Credential=${server.credentials.accessKeyId}/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
    ],
  ];
  const send = (changes: { method?: string; headers?: [string, string][]; body?: string }) =>
    sendHttp(server.endpoint, { path: '/', headers: rightHeaders(), body: '{}', ...changes });

  test('its access key id is 32 hex digits, and different for each start', async () => {
    const other = await startLocalProcess();
    for (const { credentials } of [server, other]) expect(credentials.accessKeyId).toMatch(/^[0-9a-f]{32}$/);
    expect(server.credentials.accessKeyId).not.toBe(other.credentials.accessKeyId);
    await other.end();
  });

  test('the right access key id reads the tables', async () => {
    const { TableNames } = await server.client.send(new ListTablesCommand());
    expect(TableNames).toEqual(['AccessTokens', 'Plants']);
    expect((await send({})).status).toBe(200);
  });

  test.each(['local', 'AKIDEXAMPLE', 'x'.repeat(200), '0'.repeat(32)])(
    'the access key id %s is refused',
    async (id) => {
      const scan = client(id).send(new ScanCommand({ TableName: 'Plants' }));
      await expect(scan).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    },
  );

  test.each([
    ['no Authorization header', () => rightHeaders().slice(0, 3)],
    ['a bearer token', () => [...rightHeaders().slice(0, 3), ['authorization', `Bearer ${server.token}`]]],
    ['an Origin', () => [...rightHeaders(), ['origin', 'http://localhost:3000']]],
  ] as [string, () => [string, string][]][])('%s is refused', async (_, headers) => {
    const answer = await send({ headers: headers() });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('UnrecognizedClientException');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('OPTIONS, GET and PUT are refused', async () => {
    for (const method of ['OPTIONS', 'GET', 'PUT']) {
      const foreign: [string, string][] = [['origin', 'http://example.com']];
      for (const headers of [foreign, rightHeaders()]) {
        const answer = await send({ method, headers });
        expect(answer.status).toBe(400);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
  });

  test.each(['null', '1', '"x"', '[]', '', '{', 'true'])(
    'the body %s is refused, and the store continues',
    async (body) => {
      const answer = await send({ body });
      expect(answer.status).toBe(400);
      expect(answer.body).toContain('SerializationException');
      expect((await send({})).status).toBe(200);
    },
  );

  test.each(['ListTables', 'GetItem', 'PutItem', 'CreateTable', 'Scan', 'constructor', '__proto__'])(
    'invalid properties in %s do not end the process',
    async (operation) => {
      const headers = rightHeaders().map(([name, value]): [string, string] =>
        name === 'x-amz-target' ? [name, `DynamoDB_20120810.${operation}`] : [name, value],
      );
      for (const body of [
        '{"__proto__":null,"TableName":null}',
        '{"TableName":{"constructor":[]},"Key":[null],"Item":{"a":null}}',
        '{"TableName":"Plants","Key":{"id":null},"Item":{"id":{"N":null}}}',
        '{"TableName":"Plants","Item":{"id":{"N":"1"},"x":{"M":{"y":null}},"__proto__":{"L":[null]}}}',
      ])
        await send({ headers, body }).catch(() => undefined);
      expect((await send({})).status).toBe(200);
    },
  );

  test.each(Object.entries(DEPARTURES))('a hundred unfinished requests and %s', async (_, leave) => {
    const head = rightHeaders().map(([name, value]) => `${name}: ${value}\r\n`);
    const text = `POST / HTTP/1.1\r\nHost: x\r\n${head.join('')}Content-Length: 100\r\n\r\n{"`;
    await Promise.all(Array.from({ length: 100 }, () => leave(server.endpoint, text)));
    await Promise.all(Array.from({ length: 100 }, () => leave(server.endpoint, 'garbage\r\n\r\n')));
    expect((await send({})).status).toBe(200);
  });

  test('a request with a body over 16 MB is refused', async () => {
    const answer = await send({ body: `{"a":"${'x'.repeat(16 * 1024 * 1024)}"}` });
    expect(answer.body).toContain('SerializationException');
  });
});
