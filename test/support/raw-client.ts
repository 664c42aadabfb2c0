import { once } from 'node:events';
import net from 'node:net';
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

function connect(url: string): net.Socket {
  const socket = net.connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.on('end', () => socket.end());
  return socket;
}
