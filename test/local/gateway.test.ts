import { once } from 'node:events';
import type { Server } from 'node:http';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Handler } from '../../lambda/create-plant.ts';
import { createGateway, type GatewayOptions } from '../../local/gateway.ts';
import { sendHttp } from '../../tools/verify/send-http.ts';
import { contractViolations } from '../support/contract-runner.ts';
import { listen } from '../support/listen.ts';
import { startTestService } from '../support/test-service.ts';
import { answersIn, exchange, rawPost } from './raw-client.ts';

async function listening(handler: Handler, options?: GatewayOptions): Promise<[Server, string]> {
  const gateway = createGateway(handler, options);
  // A raw client reads until the server closes the connection, which Node does these milliseconds after the last answer.
  Object.assign(gateway, { keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 });
  return [gateway, await listen(gateway)];
}

const service = await startTestService();
const [server, url] = await listening(service.handler);
afterAll(async () => {
  server.close();
  await service.close();
});

const post = (body: string | Buffer, headers: [string, string][] = []) =>
  sendHttp(url, { headers: [['authorization', `Bearer ${service.token}`], ...headers], body });

async function isAlive(): Promise<boolean> {
  return (await post('{"id":1,"name":"Fern"}')).status === 200;
}

describe('answers of the gateway itself', () => {
  test('two Authorization headers are refused, whichever of them is right', async () => {
    for (const second of [`Bearer ${service.token}`, 'Basic eA==', '']) {
      expect((await post('{"id":1,"name":"Fern"}', [['authorization', second]])).body).toContain('40102');
    }
  });

  test('11 MB, and a body that is too large for an event, are 41301', async () => {
    for (const size of [5_000_000, 11_000_000]) {
      const answer = await post(Buffer.alloc(size, ' '));
      expect(contractViolations(answer)).toEqual([]);
      expect(answer.body).toContain('41301');
    }
    expect(await isAlive()).toBe(true);
  });

  test.each([
    ['GET', '/plants'],
    ['PUT', '/plants'],
    ['OPTIONS', '/plants'],
    ['TRACE', '/plants'],
    ['POST', '/'],
    ['POST', '/plants/1'],
    ['POST', '/../plants'],
    ['POST', '/pl%61nts'],
    ['OPTIONS', '*'],
  ])('%s %s is 40401, with an Authorization header too', async (method, path) => {
    for (const headers of [[], [['authorization', 'Bearer x']]] as [string, string][][]) {
      const answer = await sendHttp(url, { method, path, headers });
      expect(contractViolations(answer)).toEqual([]);
      expect(answer.body).toContain('40401');
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

  test('a function that throws is 50401: the plant may be stored', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const [broken, brokenUrl] = await listening(() => Promise.reject(new Error('crash')));
    const answer = await sendHttp(brokenUrl, { body: '{}' });
    expect(contractViolations(answer)).toEqual([]);
    expect(answer.body).toContain('50401');
    broken.close();
  });
});

describe('invalid HTTP gets an answer that conforms to the contract, and the service continues', () => {
  test.each([
    ['garbage', '\u0000\u0001\u0002 garbage\r\n\r\n'],
    ['an unknown method', 'PLANT /plants HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no Host header', 'POST /plants HTTP/1.1\r\nContent-Length: 0\r\n\r\n'],
    [
      'an unknown expectation',
      'POST /plants HTTP/1.1\r\nHost: x\r\nExpect: unknown\r\nContent-Length: 0\r\n\r\n',
    ],
    ['CONNECT', 'CONNECT plants:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an upgrade', 'GET /plants HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['headers that are too long', `POST /plants HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
    [
      'a body of two lengths',
      'POST /plants HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    ],
    ['an invalid chunk', 'POST /plants HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['an absolute address', 'POST http://x/plants HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'],
  ])('%s', async (_, text) => {
    const { back } = await exchange(url, text);
    expect(answersIn(back).length).toBe(1);
    expect(answersIn(back).flatMap(contractViolations), back).toEqual([]);
    expect(await isAlive()).toBe(true);
  });

  test('surplus bytes do not lose an answer that waits for another, and the connection ends after it', async () => {
    const finish = Promise.withResolvers<void>();
    const slow: Handler = async (event, context) => {
      await finish.promise;
      return service.handler(event, context);
    };
    const [gateway, address] = await listening(slow, {
      answerPage: (request, response) => request.method === 'GET' && response.end('page') !== undefined,
    });
    const socket = net.connect(Number(new URL(address).port), '127.0.0.1');
    let back = '';
    socket.on('data', (chunk) => {
      back += chunk;
    });
    const plant = rawPost(service.token, '{"id":1,"name":"Fern"}');
    socket.write(`${plant}GET /page HTTP/1.1\r\nHost: x\r\n\r\n`);
    await pause(50);
    socket.write('surplus\r\n\r\n');
    await pause(50);
    finish.resolve();
    await once(socket, 'close');
    expect(answersIn(back).map(({ body }) => body)).toEqual(['{"name":"Fern"}', 'page']);
    gateway.close();
  });

  test('a refused client cannot keep its connection open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const [gateway, address] = await listening(service.handler);
    const socket = net.connect({
      port: Number(new URL(address).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    socket.on('error', () => undefined).resume();
    socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'end');
    const connections = promisify(gateway.getConnections.bind(gateway));
    expect(await connections()).toBe(1);
    const closed = once(gateway.close(), 'close');
    vi.advanceTimersByTime(1_000);
    // The server closes when its last connection has ended; the client's half is still open.
    await closed;
    expect(await connections()).toBe(0);
    socket.destroy();
  });
});

describe('the log', () => {
  test('an answer of the gateway logs one line without a path or a header', async () => {
    const lines: unknown[] = [];
    const [gateway, address] = await listening(service.handler, { log: (line) => lines.push(line) });
    await sendHttp(address, { body: Buffer.alloc(7_000_000, ' ') });
    await exchange(address, 'PLANT /plants?token=secret HTTP/1.1\r\nHost: x\r\n\r\n');
    await exchange(address, 'CONNECT plants:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    const request = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(lines).toEqual([
      { gateway: 'REQUEST_TOO_LARGE', error: 41301, request },
      { gateway: 'DEFAULT_4XX', error: 40000, request, reason: 'HPE_INVALID_METHOD' },
      { gateway: 'DEFAULT_4XX', error: 40000, request, reason: 'CONNECT' },
    ]);
    gateway.close();
  });
});
