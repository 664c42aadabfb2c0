import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpRequest } from '@smithy/types';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BufferingHttpHandler } from '../../../lambda/store/buffering-http-handler.ts';
import { listen } from '../../../local/listen.ts';
import { trustedCertificate } from '../../support/certificate.ts';

// test/faults tries every fault of the store.

const DYNAMODB = { 'content-type': 'application/x-amz-json-1.0' };

const servers: http.Server[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  // Both time limits are stopped, however the request ended. A connection may be closed a little later.
  for (let wait = 0; wait < 100 && vi.getTimerCount() > 0; wait += 1) await pause(10);
  const timers = vi.getTimerCount();
  vi.useRealTimers();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  expect(timers).toBe(0);
});

/** @returns the port of a server */
async function start(response: http.RequestListener, protocol = 'http:'): Promise<number> {
  const server =
    protocol === 'http:' ? http.createServer(response) : https.createServer(trustedCertificate(), response);
  servers.push(server);
  return Number(new URL(await listen(server)).port);
}

const request = (port: number, changes = {}) =>
  ({ protocol: 'http:', hostname: '127.0.0.1', port, method: 'POST', path: '/', ...changes }) as HttpRequest;

test('a request is sent with our User-Agent, and a response in several chunks is read completely', async () => {
  const port = await start(async ({ method, url, headers }, response) => {
    const seen = [method, url, headers['x-target'], headers['user-agent']].join(' ');
    response.writeHead(400, { ...DYNAMODB, 'x-seen': seen });
    response.write('{"a"');
    await pause(20);
    response.end(':1}');
  });
  const headers = { 'x-target': 'PutItem', 'user-agent': 'x' };
  // The SDK leaves an address in brackets, as that of an IPv6 endpoint.
  const sent = request(port, { hostname: '[127.0.0.1]', path: '/path?query', headers, body: '{}' });
  const { response } = await new BufferingHttpHandler().handle(sent);
  expect(response).toMatchObject({
    statusCode: 400,
    headers: { ...DYNAMODB, 'x-seen': 'POST /path?query PutItem plant-store' },
    body: Buffer.from('{"a":1}'),
  });
});

test.each([
  ['http:', http.globalAgent],
  ['https:', https.globalAgent],
])('a connection is reused: %s', async (protocol, globalAgent) => {
  const ports: (number | undefined)[] = [];
  const responses = ['{}', '{}', ''];
  const port = await start(({ socket }, response) => {
    ports.push(socket.remotePort);
    response.writeHead(200, DYNAMODB).end(responses.shift());
  }, protocol);
  const handler = new BufferingHttpHandler();
  for (let count = 0; count < 2; count += 1) {
    await handler.handle(request(port, { protocol }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect(handler.handle(request(port, { protocol }))).rejects.toMatchObject({ isSent: true });
  expect(new Set(ports).size).toBe(1);
  // Node's own agent closes a connection after 5 s without a request.
  expect(Object.keys(globalAgent.freeSockets).join()).not.toContain(String(port));
});

test('a text of an item that is the name of an error is none', async () => {
  const body = '{"Item":{"name":{"S":"__type"},"tag":{"S":"a \\"__type\\": b"}}}';
  const port = await start((_, response) => response.writeHead(200, DYNAMODB).end(body));
  const { response } = await new BufferingHttpHandler().handle(request(port));
  expect(String(response.body)).toBe(body);
});

// test/faults tries every other response that is damaged or not DynamoDB's.
test('a damaged response, also the first of a TLS connection, may be that to a request which was received', async () => {
  const headers = { ...DYNAMODB, 'x-amz-crc32': '2745614148' };
  const port = await start((_, response) => response.writeHead(200, headers).end('{}'), 'https:');
  const response = new BufferingHttpHandler().handle(request(port, { protocol: 'https:' }));
  const error = { name: 'ConnectionError', message: 'damaged response', isSent: true };
  await expect(response).rejects.toMatchObject(error);
});

describe('a failure says whether the store may have received the request', () => {
  test('a refused connection: it has not', async () => {
    const port = await start(() => undefined);
    servers[0]?.close();
    await expect(new BufferingHttpHandler().handle(request(port))).rejects.toMatchObject({
      message: 'ECONNREFUSED',
      isSent: false,
      cause: { code: 'ECONNREFUSED' },
    });
  });

  test.each([
    ['http:', 'timeout', true],
    ['https:', 'connect timeout', false],
  ])('silence after the first bytes over %s: %s', async (protocol, message, isSent) => {
    const silent = net.createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => void vi.advanceTimersByTimeAsync(1_000));
    });
    const { port } = new URL(await listen(silent));
    const response = new BufferingHttpHandler().handle(request(Number(port), { protocol }));
    await expect(response).rejects.toMatchObject({ message, isSent });
    silent.close();
  });

  // The deadline aborts a request that was sent in store.test.ts.
  test('an abort before the request is sent: it has not', async () => {
    const port = await start(() => undefined);
    const abortSignal = AbortSignal.abort() as never;
    await expect(new BufferingHttpHandler().handle(request(port), { abortSignal })).rejects.toMatchObject({
      message: 'deadline',
      isSent: false,
    });
  });
});
