import { once } from 'node:events';
import { createServer, get } from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { bodyOf, LEAST } from '../contract/examples.ts';
import { listen } from '../test/support/listen.ts';
import { startLocalProcess } from '../test/support/local-process.ts';
import { closeServer } from './shutdown.ts';

describe.concurrent('Ctrl-C', () => {
  /** Starts the service, opens a connection without a request, and sends a request without its last byte. */
  async function inTheMiddle() {
    const server = await startLocalProcess();
    const port = Number(new URL(server.url).port);
    const [idle, socket] = [net.connect(port, '127.0.0.1'), net.connect(port, '127.0.0.1')];
    await once(idle, 'connect');
    const body = bodyOf(1);
    const fields = `Authorization: Bearer ${server.token}\r\nContent-Length: ${body.length}`;
    const head = `POST /plants HTTP/1.1\r\nHost: x\r\n${fields}\r\nExpect: 100-continue\r\n\r\n`;
    socket.on('error', () => undefined).write(head + body.slice(0, -1));
    // The service says "100 Continue" once it has read the head; it accepted the idle connection before this one.
    const [line] = await once(socket, 'data');
    expect(String(line)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    return { server, idle, socket, rest: body.slice(-1) };
  }

  test('the service closes idle connections at once, and lets a running request finish', async () => {
    const { server, idle, socket, rest } = await inTheMiddle();
    const received = text(socket);
    const ended = server.end('SIGINT');
    await once(idle.resume(), 'close');
    socket.write(rest);
    expect(await ended).toBe(0);
    const [head, response] = (await received).split('\r\n\r\n');
    expect([head?.slice(0, 12), response]).toEqual(['HTTP/1.1 200', JSON.stringify(LEAST)]);
  });

  test('a second Ctrl-C ends the process at once', async () => {
    const { server, idle, socket } = await inTheMiddle();
    void server.end('SIGINT');
    await once(idle.resume(), 'close');
    expect(await server.end('SIGINT')).toBe('SIGINT');
    socket.destroy();
  });
});

test('a request that never ends delays the exit by 7 seconds, longer than the function may run', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const server = createServer();
  const request = get(await listen(server));
  await once(server, 'request');
  const ended = expect(once(request, 'response')).rejects.toThrow('socket hang up');
  const close = vi.spyOn(server, 'closeAllConnections');
  const closed = closeServer(server);
  await vi.advanceTimersByTimeAsync(6_999);
  expect(close).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all([ended, closed]);
  vi.useRealTimers();
});
