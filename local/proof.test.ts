import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { sendHttp } from '../operate/send-http.ts';
import { isProven, ProvenAgent, respondWithProof } from './proof.ts';

const TOKEN = 'plants_of_the_folder';
const servers: net.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a server on a port, a free one by default, whose clients' bytes are kept. */
async function start<Server extends net.Server>(server: Server, port = 0) {
  servers.push(server);
  const seen: string[] = [];
  server.on('connection', (socket) => {
    socket.on('data', (bytes: Buffer) => seen.push(String(bytes)));
    socket.on('error', () => undefined);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as net.AddressInfo).port, seen, server };
}

/** A service that knows a token. */
const service = (token: string) =>
  http.createServer((request, response) => {
    if (!respondWithProof(token, request, response)) response.end(`got ${request.headers.authorization}`);
  });

const responding = (body: string) => http.createServer((_, response) => response.end(body));

/** Sends a token. */
const send = (port: number, agent: http.Agent) =>
  sendHttp(`http://127.0.0.1:${port}`, { headers: [['authorization', TOKEN]] }, agent);

test('a token is sent to the service that knows it, over a connection that stays open', async () => {
  const { port, server, seen } = await start(service(TOKEN));
  server.keepAliveTimeout = 60_000;
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const agent = new ProvenAgent(TOKEN);
  for (const _ of [1, 2, 3]) expect((await send(port, agent)).body).toBe(`got ${TOKEN}`);
  expect(connections).toBe(1);
  agent.destroy();
  for (const _ of [1, 2]) expect(await isProven(port, TOKEN)).toBe(true);
  // An earlier proof is of no use, and a command that has one ends at once.
  expect(new Set(seen.join('').match(/\?[0-9a-f]{64} /g)).size).toBe(3);
  await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(0);
});

test.each<[string, () => net.Server]>([
  ['a service with another token', () => service('plants_of_another_folder')],
  ['a program that closes the connection', () => net.createServer((socket) => socket.end())],
  ['a program that sends without end', () => responding('0'.repeat(10_000))],
  ['a program that never responds', () => net.createServer()],
])('%s does not get the token', async (_, make) => {
  const { port, seen } = await start(make());
  const agent = new ProvenAgent(TOKEN);
  const sent = expect(send(port, agent)).rejects.toThrow();
  expect(await isProven(port, TOKEN)).toBe(false);
  await sent;
  agent.destroy();
  expect(seen.join('')).toContain('GET /proof?');
  expect(seen.join('')).not.toContain(TOKEN);
});

test('a program that passes the challenge on to the service does not get the token', async () => {
  const ours = await start(service(TOKEN));
  const relay = net.createServer((socket) => {
    const onward = net.connect(ours.port, '127.0.0.1').on('error', () => undefined);
    socket.pipe(onward).pipe(socket);
  });
  const { port, seen } = await start(relay);
  expect(await isProven(port, TOKEN)).toBe(false);
  expect(ours.seen.join('')).toContain('GET /proof?');
  expect(seen.join('')).not.toContain(TOKEN);
});

test('a program that takes the port after the service has stopped does not get the token', async () => {
  const ours = await start(service(TOKEN));
  const agent = new ProvenAgent(TOKEN);
  await send(ours.port, agent);
  ours.server.closeAllConnections();
  ours.server.close();
  await once(ours.server, 'close');
  await expect(send(ours.port, agent)).rejects.toThrow();
  const { seen } = await start(responding('any'), ours.port);
  await expect(send(ours.port, agent)).rejects.toMatchObject({ code: 'NO_PROOF' });
  agent.destroy();
  expect(seen.join('')).not.toContain(TOKEN);
});

test('a service responds only a challenge; everything else is left to the gateway', async () => {
  const { port } = await start(service(TOKEN));
  const url = `http://127.0.0.1:${port}`;
  const challenge = 'a'.repeat(64);
  const bodyOf = async (method: string, path: string) => (await sendHttp(url, { method, path })).body;
  for (const query of ['', `?${challenge}a`, '?x'])
    expect(await bodyOf('GET', `/proof${query}`)).toBe('got undefined');
  expect(await bodyOf('POST', `/proof?${challenge}`)).toBe('got undefined');
  expect(await bodyOf('GET', `/proof?${challenge}`)).toMatch(/^[0-9a-f]{64}$/);
});
