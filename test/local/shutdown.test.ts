import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startLocalProcess } from '../support/local-process.ts';
import { answersIn, rawPost } from './raw-client.ts';

describe.concurrent('Ctrl-C', () => {
  /** Starts the service and sends a request without its last byte. */
  async function inTheMiddle(options: Parameters<typeof startLocalProcess>[1] = {}) {
    const server = await startLocalProcess(undefined, options);
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
    let back = '';
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        back += chunk;
      });
    const text = rawPost(server.token, '{"id":1,"name":"Fern"}');
    socket.write(text.slice(0, -1));
    await pause(200);
    return { server, socket, rest: text.slice(-1), back: () => back };
  }

  test.each(['SIGINT', 'SIGTERM'] as const)('%s lets a running request finish', async (signal) => {
    const { server, socket, rest, back } = await inTheMiddle();
    const ended = server.end(signal);
    await pause(300);
    socket.write(rest);
    expect(await ended).toBe(0);
    expect(answersIn(back()).map(({ status, body }) => [status, body])).toEqual([[200, '{"name":"Fern"}']]);
  });

  test('a request that never ends delays the exit by a limited time', async () => {
    const { server, socket } = await inTheMiddle({ hasUsualLimits: true });
    const start = performance.now();
    expect(await server.end('SIGINT')).toBe(0);
    const seconds = (performance.now() - start) / 1000;
    expect(seconds).toBeGreaterThan(6);
    socket.destroy();
  });

  test('a second Ctrl-C ends the process at once', async () => {
    const { server, socket } = await inTheMiddle();
    void server.end('SIGINT');
    await pause(300);
    expect(await server.end('SIGINT')).toBe('SIGINT');
    socket.destroy();
  });

  test('an idle connection does not delay the exit', async () => {
    const server = await startLocalProcess();
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const start = performance.now();
    expect(await server.end('SIGINT')).toBe(0);
    expect(performance.now() - start).toBeLessThan(40_000);
    socket.destroy();
  });
});
