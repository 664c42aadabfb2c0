import { once } from 'node:events';
import http from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../../local/listen.ts';
import { poolFetch } from './pool-fetch.ts';

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server. @returns it, a function that sends a request, and how many connections there were */
async function start(respond: http.RequestListener) {
  const server = http.createServer(respond);
  servers.push(server);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const url = await listen(server);
  const fetch = poolFetch(url);
  const send = (signal = new AbortController().signal) =>
    fetch(`${url}/plants`, { method: 'POST', headers: {}, body: '{}', signal, redirect: 'manual' });
  return { server, send, connections: () => connections };
}

test('one request after the other takes one connection, also after an error', async () => {
  let requests = 0;
  const { send, connections } = await start((_, response) => {
    requests += 1;
    if (requests === 2) response.destroy();
    else response.end();
  });
  await send();
  await expect(send()).rejects.toThrow();
  for (let count = 0; count < 5; count += 1) expect((await send()).status).toBe(200);
  // The broken connection, and that in its place.
  expect([requests, connections()]).toEqual([7, 2]);
});

test('two requests at a time take two connections', async () => {
  const waiting: http.ServerResponse[] = [];
  const { send, connections } = await start((_, response) => {
    waiting.push(response);
    if (waiting.length === 2) for (const each of waiting) each.end();
  });
  await Promise.all([send(), send()]);
  expect(connections()).toBe(2);
});

test('an abort ends the request, and its connection', async () => {
  const { server, send } = await start(() => undefined);
  const stop = new AbortController();
  const sent = send(stop.signal);
  const [incoming] = (await once(server, 'request')) as [http.IncomingMessage];
  const closed = once(incoming.socket, 'close');
  stop.abort(new Error('stopped'));
  await expect(sent).rejects.toThrow('stopped');
  await closed;
});

test('an abort before there is a connection sends nothing', async () => {
  let requests = 0;
  const { send } = await start((_, response) => {
    requests += 1;
    response.end();
  });
  await expect(send(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  expect(requests).toBe(0);
});
