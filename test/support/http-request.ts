import http from 'node:http';
import net from 'node:net';
import type { Answer } from './contract-runner.ts';

/** Sends a request as it is told to, a header several times too, on a connection of its own. */
export function sendHttp(
  url: string,
  request: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: readonly (readonly [string, string])[];
    readonly body?: Buffer | string | undefined;
  },
): Promise<Answer> {
  const { method = 'POST', path = '/plants', headers = [], body } = request;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const lines =
      body === undefined ? headers : [...headers, ['content-length', String(Buffer.byteLength(body))]];
    const outgoing = http.request(
      {
        hostname,
        port,
        method,
        path,
        headers: ['host', `${hostname}:${port}`, ...lines.flat()],
        agent: false,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers as Answer['headers'],
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Writes raw text to a socket. @returns whatever came back until the server closed it, or 300 ms passed in silence */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname);
    let back = '';
    const done = () => {
      socket.destroy();
      resolve(back);
    };
    socket.on('data', (chunk) => {
      back += chunk;
    });
    socket.on('error', done);
    socket.on('close', done);
    socket.setTimeout(300, done);
    socket.write(text);
  });
}
