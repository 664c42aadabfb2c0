import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { listen } from './listen.ts';
import { takeOtherLoopback } from './other-loopback.ts';
import { closeServer, endWhenAsked } from './shutdown.ts';

test('Ctrl-C closes idle connections at once, and lets a running request finish', async () => {
  const [listeners, exit] = [vi.spyOn(process, 'once'), vi.spyOn(process, 'exit')];
  listeners.mockReturnValue(process);
  const ended = new Promise((resolve) => exit.mockImplementation(resolve as never));
  const server = createServer();
  const store = { endpoint: '', lost: new Promise<Error>(() => undefined), close: async () => undefined };
  const port = Number(new URL(await listen(server)).port);
  const other = await takeOtherLoopback(server, '127.0.0.1', port);
  endWhenAsked({ server, other, store, folder: undefined });
  const [idle, busy] = [net.connect(port, '127.0.0.1'), net.connect(port, other ? '::1' : '127.0.0.1')];
  await once(idle, 'connect');
  busy.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const received = text(busy);

  listeners.mock.calls.find(([name]) => name === 'SIGINT')?.[1]();
  await once(idle.resume(), 'close');
  expect(exit).not.toHaveBeenCalled();
  response.end('done');
  expect(await ended).toBe(0);
  expect(await received).toMatch(/^HTTP\/1\.1 200 .*done/s);
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
});
