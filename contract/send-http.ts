import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';

/** The longest that a response may take, in milliseconds: the gateway's own timeout, and a slow upload. */
export const RESPONSE_MS = 60_000;

/** A request. Only the given headers and body are sent. */
export interface HttpRequest {
  /** POST by default. */
  readonly method?: string;
  /** The path after the base URL, with its query; /plants by default. */
  readonly path?: string;
  /** A name may be given several times. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | string | undefined;
}

/** A response. Header names are in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** With a replacement character for each byte that is not UTF-8. */
  readonly body: string;
}

/** Makes the connections to a service, through the environment's proxy if it has one. @param keepAlive whether to keep them open */
export function agentFor(baseUrl: string, keepAlive: boolean): http.Agent {
  const { Agent } = new URL(baseUrl).protocol === 'https:' ? https : http;
  return new Agent({ keepAlive, proxyEnv: process.env });
}

/**
 * Sends exactly the given headers, including repeated ones, and adds only `Host` and `Content-Length`. `fetch` would
 * merge repeated headers, and add its own.
 * @param baseUrl http or https, with or without a path such as a stage's
 * @param agent from {@link agentFor}; without it the request has a new connection
 * @param signal ends the request; a time limit by default
 * @returns also the `bytes` of the body
 * @throws Error with a `code` if the connection fails, or no complete response arrives in time
 */
export async function sendHttp(
  baseUrl: string,
  { method = 'POST', path = '/plants', headers = [], body }: HttpRequest,
  agent = agentFor(baseUrl, false),
  signal: AbortSignal = AbortSignal.timeout(RESPONSE_MS),
): Promise<HttpResponse & { readonly bytes: Buffer }> {
  const url = new URL(baseUrl);
  const length = body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))]];
  const outgoing = http.request(url, {
    method,
    path: url.pathname.replace(/\/$/, '') + path,
    headers: ['host', url.host, ...headers.flat(), ...length.flat()],
    agent,
    signal,
  });
  // Also for an error after the start of the response, which the response reports.
  outgoing.on('error', () => undefined);
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [http.IncomingMessage];
  const bytes = Buffer.concat(await incoming.toArray());
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers as HttpResponse['headers'],
    body: String(bytes),
    bytes,
  };
}
