import http from 'node:http';
import https from 'node:https';
import type { Answer } from './judge-answer.ts';

/** A request. What is not given is not sent. */
export interface HttpRequest {
  /** POST by default. */
  readonly method?: string;
  /** The path behind the base URL, with its query; /plants by default. */
  readonly path?: string;
  /** A name may come several times. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | string | undefined;
}

/** The longest that an answer may take, in milliseconds: the gateway's own time-out, and a slow upload. */
const ANSWER_MS = 60_000;

/**
 * Sends a request as it is told to, a header several times too, and adds nothing but `Host` and `Content-Length`.
 * `fetch` would merge headers that come several times, and add some of its own.
 * @param baseUrl http or https, with or without a path such as a stage's
 * @param agent keeps connections; without one each request has its own
 * @throws Error with a `code` when the connection fails, or no whole answer comes in time
 */
export function sendHttp(
  baseUrl: string,
  { method = 'POST', path = '/plants', headers = [], body }: HttpRequest,
  agent: http.Agent | false = false,
): Promise<Answer> {
  const { protocol, hostname, host, port, pathname } = new URL(baseUrl);
  const length = body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))]];
  return new Promise((resolve, reject) => {
    const outgoing = (protocol === 'https:' ? https : http).request({
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: pathname.replace(/\/$/, '') + path,
      headers: ['host', host, ...headers.flat(), ...length.flat()],
      agent,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
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
    });
    outgoing.end(body);
  });
}

/** Why no answer came, in a word. */
export function causeOf(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException;
  return name === 'TimeoutError' || code === 'ABORT_ERR'
    ? `none within ${ANSWER_MS / 1000} s`
    : (code ?? message);
}
