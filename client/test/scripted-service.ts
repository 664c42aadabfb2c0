import http from 'node:http';
import { text } from 'node:stream/consumers';
import { LEAST } from '../../contract/examples.ts';
import { IS_NUMBER, idOf } from '../../contract/key.ts';
import { listen } from '../../test/support/listen.ts';
import type { NewPlant } from '../src/index.ts';

/** A response, or a way in which none is sent. */
export type Behavior =
  | { status: number; body: string | Buffer; headers?: Record<string, string> }
  | 'hang'
  | 'reset'
  | 'half'
  | 'stall';

/** What the caller of the client sends. */
export const plantOf = (id: bigint | number, plant = LEAST) =>
  ({ id: IS_NUMBER ? id : idOf(String(id)), ...plant }) as unknown as NewPlant;

/** The response to the least plant. */
export const FERN = { status: 200, body: JSON.stringify(LEAST) };

/** An Error as the service sends it. */
export function refusal(error: number, headers: Record<string, string> = {}): Behavior {
  return { status: 400, body: JSON.stringify({ error, message: `Message ${error}.` }), headers };
}

/**
 * Replaces the service: a server on the loopback interface that follows a script.
 * @param script the behavior for each request; the last one applies to all further requests
 * @returns its address, the requests that it received, in order, with the milliseconds when each was complete, and what ends it, also
 *   twice
 */
export async function startScriptedService(...script: Behavior[]) {
  const requests: {
    method: string;
    url: string;
    headers: http.IncomingHttpHeaders;
    body: string;
    at: number;
  }[] = [];
  const server = http.createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const onBody = (body: string) => {
      const behavior = script[Math.min(requests.length, script.length - 1)];
      requests.push({ method, url, headers, body, at: performance.now() });
      behave(behavior, response);
    };
    text(request).then(onBody, () => undefined);
  });
  return {
    url: await listen(server),
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function behave(behavior: Behavior | undefined, response: http.ServerResponse): void {
  if (behavior === undefined || behavior === 'hang') return;
  if (behavior === 'reset') return void response.socket?.resetAndDestroy();
  if (behavior === 'half' || behavior === 'stall') {
    response.writeHead(200, { 'content-length': '100' });
    return void response.write('{"name"', () => behavior === 'half' && response.socket?.destroy());
  }
  response.writeHead(behavior.status, { 'content-type': 'application/json', ...behavior.headers });
  response.end(behavior.body);
}
