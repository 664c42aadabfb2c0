import type { Server } from 'node:http';
import net from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { errorOf } from '../contract/judge-response.ts';
import type { Handler } from '../lambda/envelope.ts';
import { sendHttp } from '../operate/send-http.ts';
import { contractViolations } from '../test/support/contract-runner.ts';
import { listen } from '../test/support/listen.ts';
import { rawHead, rawPost, responsesIn } from '../test/support/raw-client.ts';
import { createGateway } from './gateway.ts';

const OK = { statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{"name":"Fern"}' };
const POST = rawPost('x', '{"id":1,"name":"Fern"}');

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Waits for a condition, longer than any wait on a busy machine. */
const until = (isTrue: () => boolean | Promise<boolean>) =>
  expect.poll(isTrue, { timeout: 50_000, interval: 5 }).toBe(true);

/**
 * A gateway in front of a function that responds nothing until `go`; `remaining` has the time limit of each call, `refused`
 * the error numbers of the gateway's own responses.
 */
async function inFrontOfSlowFunction() {
  const remaining: number[] = [];
  const refused: number[] = [];
  let received = 0;
  const go = Promise.withResolvers<void>();
  const handler: Handler = async (_event, context) => {
    remaining.push(context.getRemainingTimeInMillis?.() ?? 0);
    await go.promise;
    return OK;
  };
  const sockets: net.Socket[] = [];
  const gateway = createGateway(handler, { log: ({ error }) => refused.push(error) });
  gateway.on('connection', (socket) => sockets.push(socket));
  gateway.on('request', (request) => request.on('end', () => (received += 1)));
  const url = await listen(gateway);
  onTestFinished(() => {
    gateway.close();
    gateway.closeAllConnections();
  });
  return { url, gateway, remaining, refused, sockets, go: go.resolve, received: () => received };
}

/** Opens a connection and sends text. What comes back is collected in `received`. */
function connect(url: string, text: string) {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  const client = { socket, received: '', leave: () => socket.resetAndDestroy() };
  socket.on('error', () => undefined).on('data', (chunk) => (client.received += chunk));
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return client;
}

/** Whether the gateway has noticed that all connections but some have ended. */
const hasConnections = (gateway: Server, count: number) => () =>
  new Promise<boolean>((resolve) => gateway.getConnections((_, actual) => resolve(actual === count)));

test('ten requests are in the function at once, and the wait of others does not use up their time', async () => {
  const { url, remaining, received, go } = await inFrontOfSlowFunction();
  const responses = Array.from({ length: 25 }, () => sendHttp(url, { body: '{}' }));
  await until(() => received() === 25);
  expect(remaining).toHaveLength(10);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now + 20_000);
  go();
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(Array(25).fill(200));
  expect(remaining).toHaveLength(25);
  for (const time of remaining) expect(time).toBeGreaterThan(5_000);
});

test('a thousand requests may wait; the next one is throttled, until those who wait have gone away', async () => {
  const { url, gateway, remaining, refused, received, go } = await inFrontOfSlowFunction();
  const first = connect(url, POST.repeat(10));
  await until(() => remaining.length === 10);
  const many = connect(url, POST.repeat(1_000));
  await until(() => received() === 1_010);
  const response = await sendHttp(url, { body: '{}' });
  expect([errorOf(response), contractViolations(response)]).toEqual([42901, []]);
  expect(refused).toEqual([42901]);
  many.leave();
  await until(hasConnections(gateway, 1));
  // They leave no work and no place taken, nor does one that leaves behind it: a new request gets a response.
  const last = sendHttp(url, { body: '{}' });
  await until(() => received() === 1_012);
  const other = connect(url, POST);
  await until(() => received() === 1_013);
  other.leave();
  await until(hasConnections(gateway, 2));
  go();
  expect(await last).toMatchObject({ status: 200 });
  await until(() => responsesIn(first.received).length === 10);
  expect(remaining).toHaveLength(11);
});

test('four large bodies are held at once; a slow one is refused, and small requests do not wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { url, sockets, go } = await inFrontOfSlowFunction();
  go();
  const length = 4_000_000;
  const head = rawHead('POST /plants', `Content-Length: ${length}`);
  const clients = Array.from({ length: 12 }, () => connect(url, head + ' '.repeat(length - 1)));
  const unfinished = () => sockets.filter((socket) => socket.bytesRead === head.length + length - 1).length;
  const ended = () => clients.filter(({ socket }) => socket.readableEnded).length;
  for (const done of [4, 8]) {
    await until(() => unfinished() >= done);
    const inMemory = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    expect(inMemory).toBeLessThan(done * length + 12 * 200_000);
    expect(await sendHttp(url, { body: '{}' })).toMatchObject({ status: 200 });
    vi.advanceTimersByTime(30_000);
    await until(() => ended() >= done);
    expect(ended()).toBe(done);
    // The connections of the refused ones are closed a little later.
    vi.advanceTimersByTime(1_000);
  }
  await until(() => unfinished() === 12);
  for (const { socket } of clients) socket.write('}');
  await until(() => clients.every(({ received }) => received.includes('\r\n\r\n{')));
  const statuses = clients.map(({ received }) => /"error":\d+/.exec(received)?.[0] ?? received.slice(9, 12));
  expect(statuses.sort()).toEqual([...Array(8).fill('"error":40000'), ...Array(4).fill('200')]);
});

test('a large body has 30 s to arrive; the time in the function does not count', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { url, remaining, sockets, go } = await inFrontOfSlowFunction();
  const head = rawHead('POST /plants', 'Content-Length: 100000');
  const client = connect(url, head + ' '.repeat(99_999));
  await until(() => sockets[0]?.bytesRead === head.length + 99_999);
  vi.advanceTimersByTime(29_000);
  client.socket.write('}');
  await until(() => remaining.length === 1);
  vi.advanceTimersByTime(2_000);
  go();
  await until(() => client.received.includes('\r\n\r\n{'));
  expect(client.received).toMatch(/^HTTP\/1.1 200 (.|\r\n)*Connection: keep-alive\r\n/);
});

test('large bodies that break off or become invalid leave no place taken', async () => {
  const { url, gateway, go } = await inFrontOfSlowFunction();
  go();
  const chunk = `${rawHead('POST /plants', 'Transfer-Encoding: chunked')}30d40\r\n${' '.repeat(200_000)}\r\n`;
  const invalid = Array.from({ length: 6 }, () => connect(url, `${chunk}zz\r\n`));
  await until(() => invalid.every(({ received }) => received.includes('"error":40000')));
  const leaving = Array.from({ length: 6 }, () => connect(url, chunk));
  await until(() => leaving.every(({ socket }) => socket.bytesWritten === chunk.length));
  for (const { leave } of leaving) leave();
  await until(hasConnections(gateway, 0));
  expect(await sendHttp(url, { body: Buffer.alloc(4_000_000, ' ') })).toMatchObject({ status: 200 });
});
