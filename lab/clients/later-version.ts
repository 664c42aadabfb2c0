import http from 'node:http';
import { listen } from '../../test/support/listen.ts';

/**
 * Starts a proxy that adds a property to each response, as a later version of the service may.
 * @param url the service
 */
export async function startLaterVersion(url: string): Promise<{ url: string; close(): void }> {
  const server = http.createServer((request, response) => {
    forward(url, request, response).catch((error: Error) => response.destroy(error));
  });
  return {
    url: await listen(server),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function forward(url: string, request: http.IncomingMessage, response: http.ServerResponse) {
  const { authorization = '', 'content-type': type = '' } = request.headers;
  const later = await fetch(`${url}${request.url}`, {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': type },
    body: Buffer.concat(await request.toArray()),
  });
  const plant = (await later.json()) as object;
  const body = JSON.stringify({ ...plant, addedLater: { by: 'a later version' } });
  const headers = { ...Object.fromEntries(later.headers), 'content-length': Buffer.byteLength(body) };
  response.writeHead(later.status, headers).end(body);
}
