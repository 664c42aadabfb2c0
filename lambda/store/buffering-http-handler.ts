import http from 'node:http';
import https from 'node:https';
import type { HttpHandlerOptions, HttpRequest, HttpResponse } from '@smithy/types';
import { ATTEMPT_MS, CONNECT_MS } from '../limits.ts';
import { crc32 } from '../request/crc32.ts';

/** Tells CloudTrail's data events and AWS support which program called. Not signed; the SDK does not sign its own either. */
const USER_AGENT = 'plant-store/1.0.0';

/** No whole answer of DynamoDB's came back. The message is a short name for the log. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Whether the store may have received the request. */
  readonly isSent: boolean;

  constructor(message: string, isSent: boolean, cause: Error) {
    super(message, { cause });
    this.isSent = isSent;
  }
}

/**
 * Sends the SDK's requests and gathers each answer whole. In place of the SDK's own handler for three reasons: it
 * knows whether a failed request can have reached the store, its time limit holds for the body too, and it builds no
 * streams for answers of a few hundred bytes.
 */
export class BufferingHttpHandler {
  readonly #http = new http.Agent({ keepAlive: true });
  readonly #https = new https.Agent({ keepAlive: true });

  /**
   * @throws ConnectionError after {@link CONNECT_MS} without a connection, after {@link ATTEMPT_MS} in all, when the
   * connection is refused or breaks, when the answer is damaged or not DynamoDB's, or on abort
   */
  handle(
    request: HttpRequest,
    { abortSignal }: HttpHandlerOptions = {},
  ): Promise<{ response: HttpResponse }> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(request, abortSignal as AbortSignal | undefined);
      const isConnected = watchConnecting(outgoing);
      const timer = setTimeout(() => outgoing.destroy(new Error('time-out')), ATTEMPT_MS);
      let isAnswered = false;
      const fail = (cause: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        const message = abortSignal?.aborted ? 'deadline' : (cause.code ?? cause.message);
        reject(new ConnectionError(message, isConnected(), cause));
      };
      outgoing.on('error', fail);
      // Always the last event. Once answered, skip creating an Error nobody reads (5 % of a warm request).
      outgoing.on('close', () => {
        if (!isAnswered) fail(new Error('connection closed'));
      });
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', fail);
        incoming.on('end', () => {
          const body = Buffer.concat(chunks);
          if (!isWhole(body, incoming.headers)) return fail(new Error('damaged answer'));
          if (!isDynamoDbs(incoming)) return fail(new Error('foreign answer'));
          clearTimeout(timer);
          isAnswered = true;
          resolve({ response: responseOf(incoming, body) });
        });
      });
      outgoing.end(request.body);
    });
  }

  #open(request: HttpRequest, signal: AbortSignal | undefined): http.ClientRequest {
    const isPlain = request.protocol === 'http:';
    return (isPlain ? http : https).request({
      method: request.method,
      host: request.hostname.replace(/^\[|\]$/g, ''),
      port: request.port,
      path: request.path,
      headers: { ...request.headers, 'user-agent': USER_AGENT },
      agent: isPlain ? this.#http : this.#https,
      signal,
    });
  }
}

/**
 * Gives a request {@link CONNECT_MS} to connect, TLS included; before that nothing of it is sent.
 * @returns tells whether it has connected
 */
function watchConnecting(outgoing: http.ClientRequest): () => boolean {
  let connected = false;
  const timer = setTimeout(() => outgoing.destroy(new Error('connect time-out')), CONNECT_MS);
  const onConnected = () => {
    connected = true;
    clearTimeout(timer);
  };
  outgoing.on('socket', (socket) => {
    if (outgoing.reusedSocket) onConnected();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', onConnected);
  });
  outgoing.on('close', () => clearTimeout(timer));
  return () => connected;
}

/** DynamoDB never answers with an empty body, and sends the CRC-32 of each body along. */
function isWhole(body: Buffer, headers: http.IncomingHttpHeaders): boolean {
  const expected = headers['x-amz-crc32'];
  return body.length > 0 && (expected === undefined || Number(expected) === crc32(body));
}

/**
 * Whether a success comes from DynamoDB, which names its own media type (AWS JSON 1.0 protocol). Anything else that
 * says 200, such as a proxy's page, would pass for a put that succeeded or for a token that nobody was issued.
 */
function isDynamoDbs({ statusCode, headers }: http.IncomingMessage): boolean {
  return (statusCode as number) >= 300 || headers['content-type'] === 'application/x-amz-json-1.0';
}

function responseOf({ statusCode, headers }: http.IncomingMessage, body: Buffer): HttpResponse {
  const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return { statusCode: statusCode as number, headers: flat, body };
}
