import { once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Handler } from '../../lambda/create-plant.ts';
import { createGateway } from '../../local/gateway.ts';
import { type Answer, contractViolations } from '../support/contract-runner.ts';
import { sendHttp, sendRaw } from '../support/http-request.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let server: Server;
let url = '';

async function listening(handler: Handler): Promise<[Server, string]> {
  const gateway = createGateway(handler).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  return [gateway, `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`];
}

beforeAll(async () => {
  service = await startTestService();
  [server, url] = await listening(service.handler);
});
afterAll(async () => {
  server.close();
  await service.close();
});

const post = (body: string | Buffer, headers: [string, string][] = []) =>
  sendHttp(url, { headers: [['authorization', `Bearer ${service.token}`], ...headers], body });

async function isAlive(): Promise<boolean> {
  return (await post('{"id":1,"name":"Fern"}')).status === 200;
}

describe('what the gateway answers by itself', () => {
  test('a second Authorization header is refused, whichever of the two is right', async () => {
    for (const second of [`Bearer ${service.token}`, 'Basic eA==', '']) {
      expect((await post('{"id":1,"name":"Fern"}', [['authorization', second]])).body).toContain('40102');
    }
  });

  test('11 MB, and what is too large for an event, are 41301', async () => {
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

/** An answer as it came over a socket. */
function parsed(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => field.split(': ')).map(([name = '', value]) => [name.toLowerCase(), value]),
  );
  return { status: Number(line.split(' ')[1]), headers, body };
}

describe('what is hardly HTTP is answered in the contract’s shape, and the service lives on', () => {
  test.each([
    ['garbage', '\u0000\u0001\u0002 garbage\r\n\r\n'],
    ['a method that is none', 'PLANT /plants HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no Host header', 'POST /plants HTTP/1.1\r\nContent-Length: 0\r\n\r\n'],
    [
      'a strange expectation',
      'POST /plants HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nContent-Length: 0\r\n\r\n',
    ],
    ['CONNECT', 'CONNECT plants:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an upgrade', 'GET /plants HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['headers without end', `POST /plants HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
    [
      'a body of two lengths',
      'POST /plants HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    ],
    ['a chunk that is none', 'POST /plants HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['an absolute address', 'POST http://x/plants HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'],
  ])('%s', async (_, text) => {
    const back = await sendRaw(url, text);
    expect(contractViolations(parsed(back)), back).toEqual([]);
    expect(await isAlive()).toBe(true);
  });

  test('a client that goes away half way through its body', async () => {
    for (let n = 0; n < 20; n += 1) {
      const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write('POST /plants HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"id":1');
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket.resetAndDestroy();
    }
    expect(await isAlive()).toBe(true);
  });
});
