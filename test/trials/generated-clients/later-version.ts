import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that stands for a later version of the service. */
export interface LaterVersion {
  readonly url: string;
  close(): void;
}

/**
 * Starts a proxy that adds a property to each answer, as a later version of the service may.
 * @param url the service
 */
export async function startLaterVersion(url: string): Promise<LaterVersion> {
  const server = http.createServer((request, response) => {
    forward(url, request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function forward(url: string, request: http.IncomingMessage, response: http.ServerResponse) {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
  const { authorization = '', 'content-type': type = '' } = request.headers;
  const answer = await fetch(`${url}${request.url}`, {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': type },
    body,
  });
  const grown = { ...((await answer.json()) as object), addedLater: { by: 'a later version' } };
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    'content-length': Buffer.byteLength(JSON.stringify(grown)),
  });
  response.end(JSON.stringify(grown));
}
