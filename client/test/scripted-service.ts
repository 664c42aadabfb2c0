import http from 'node:http';
import { text } from 'node:stream/consumers';
import { LEAST } from '../../contract/examples.ts';
import { IS_NUMBER, idOf } from '../../contract/key.ts';
import { listen } from '../../local/listen.ts';
import type { NewPlant } from '../src/index.ts';

/** A response, or a way in which none is sent. */
export type Behavior = ScriptedResponse | 'hang' | 'reset';

interface ScriptedResponse {
  status: number;
  body: string | Buffer;
  headers?: Record<string, string>;
  /** What follows the body, which is to have 100 bytes more: the connection breaks, nothing ever comes, or a space each second. */
  ending?: 'breaks' | 'stalls' | 'drips';
}

/** What the caller of the client sends. */
export const plantOf = (id: bigint | number, plant = LEAST) =>
  ({ id: IS_NUMBER ? id : idOf(String(id)), ...plant }) as unknown as NewPlant;

/** The response to the least plant. */
export const FERN = { status: 200, body: JSON.stringify(LEAST) };

/** The beginning of it. */
export const HALF = { status: 200, body: '{"name"' };

/** An Error as the service sends it. */
export function refusal(error: number, headers: Record<string, string> = {}): ScriptedResponse {
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
  const { status, body, headers, ending } = behavior;
  const length = ending && { 'content-length': body.length + 100 };
  response.writeHead(status, { 'content-type': 'application/json', ...length, ...headers });
  if (ending === undefined) return void response.end(body);
  response.write(body, () => ending === 'breaks' && response.socket?.destroy());
  if (ending !== 'drips') return;
  const timer = setInterval(() => response.write(' '), 1000);
  response.once('close', () => clearInterval(timer));
}
