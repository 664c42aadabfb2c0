import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpResponse } from './contract-runner.ts';
import { mustEnd } from './must-end.ts';

/** The head of a request as text, even one that HTTP clients would not send. @param line the method and the target */
export function rawHead(line: string, ...fields: string[]): string {
  return [`${line} HTTP/1.1`, 'Host: x', ...fields, '\r\n'].join('\r\n');
}

/** A `POST /plants` as text. */
export function rawPost(token: string, body: string): string {
  const length = Buffer.byteLength(body);
  return rawHead('POST /plants', `Authorization: Bearer ${token}`, `Content-Length: ${length}`) + body;
}

/**
 * Writes text to a new connection. @returns what is received until the server closes the connection
 * @param options.halfClose send FIN after the text, as `nc -N` does
 */
export async function exchange(url: string, text: string, { halfClose = false } = {}): Promise<string> {
  const socket = connect(url);
  let back = '';
  socket.on('data', (chunk) => {
    back += chunk;
  });
  if (halfClose) socket.end(text);
  else socket.write(text);
  await mustEnd(once(socket, 'close'), () => `a connection, on which the server sent ${back}`);
  return back;
}

/** How long a client waits for a response before it leaves, in milliseconds. */
const NO_RESPONSE_MS = 250;

/** Ways in which a client can leave a connection on which it has written something. */
export const DEPARTURES: Readonly<Record<string, (url: string, text: string) => Promise<void>>> = {
  'a reset at once': async (url, text) => {
    const socket = connect(url);
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(text, resolve));
    socket.resetAndDestroy();
  },
  'a half-closed connection': async (url, text) => {
    await exchange(url, text, { halfClose: true });
  },
  // If a socket is closed with unread data, the kernel resets the connection.
  'a response left unread': async (url, text) => {
    const firstByte = Promise.withResolvers<void>();
    const socket = connect(url, {
      buffer: Buffer.alloc(1),
      // Reads no more.
      callback: () => {
        firstByte.resolve();
        return false;
      },
    });
    socket.write(text);
    // An unfinished request has no response.
    await Promise.race([firstByte.promise, once(socket, 'close'), pause(NO_RESPONSE_MS)]);
    socket.destroy();
  },
};

/** The responses on a connection, one after the other; each has a Content-Length. */
export function responsesIn(text: string): HttpResponse[] {
  const responses: HttpResponse[] = [];
  let rest = text;
  while (rest !== '') {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const [line = '', ...fields] = head.split('\r\n');
    const headers = Object.fromEntries(
      fields.map((field) => field.split(': ')).map(([name = '', value]) => [name.toLowerCase(), value]),
    );
    const from = head.length + 4;
    const to = from + Number(headers['content-length'] ?? Number.NaN);
    if (!line.startsWith('HTTP/1.1 ') || !(to <= rest.length)) throw new Error(`No whole response: ${rest}`);
    responses.push({ status: Number(line.split(' ')[1]), headers, body: rest.slice(from, to) });
    rest = rest.slice(to);
  }
  return responses;
}

function connect(url: string, onread?: net.OnReadOpts): net.Socket {
  const options = { port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true };
  const socket = net.connect({ ...options, ...(onread && { onread }) });
  socket.on('error', () => undefined);
  socket.on('end', () => socket.end());
  return socket;
}
