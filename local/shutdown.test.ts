import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { bodyOf, LEAST } from '../contract/examples.ts';
import { startLocalProcess } from '../test/support/local-process.ts';
import { rawHead, responsesIn } from '../test/support/raw-client.ts';

describe.concurrent('Ctrl-C', () => {
  /** Starts the service, opens a connection without a request, and sends a request without its last byte. */
  async function inTheMiddle(options: Parameters<typeof startLocalProcess>[1] = {}) {
    const server = await startLocalProcess(undefined, options);
    const port = Number(new URL(server.url).port);
    const [idle, socket] = [net.connect(port, '127.0.0.1'), net.connect(port, '127.0.0.1')];
    await once(idle, 'connect');
    const body = bodyOf(1);
    const fields = [`Authorization: Bearer ${server.token}`, `Content-Length: ${body.length}`];
    const head = rawHead('POST /plants', ...fields, 'Expect: 100-continue');
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
    expect(responsesIn(await received)).toMatchObject([{ status: 200, body: JSON.stringify(LEAST) }]);
  });

  test('a request that never ends delays the exit by a limited time', async () => {
    const { server, socket } = await inTheMiddle();
    const start = performance.now();
    expect(await server.end('SIGTERM')).toBe(0);
    expect(performance.now() - start).toBeGreaterThan(6_000);
    socket.destroy();
  });

  test('a second Ctrl-C ends the process at once', async () => {
    const { server, idle, socket } = await inTheMiddle();
    void server.end('SIGINT');
    await once(idle.resume(), 'close');
    expect(await server.end('SIGINT')).toBe('SIGINT');
    socket.destroy();
  });
});
