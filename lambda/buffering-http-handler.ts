import http from 'node:http';
import https from 'node:https';
import { crc32 } from 'node:zlib';
import type { HttpHandlerOptions, HttpRequest, HttpResponse } from '@smithy/types';
import { ATTEMPT_MS, CONNECT_MS } from './limits.ts';

/** The request failed before the store could have seen any of it. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** The request may have reached the store, and no whole answer came back. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
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
   * @throws UnreachableError after {@link CONNECT_MS} without a connection, or when connecting is refused or aborted
   * @throws NoAnswerError after {@link ATTEMPT_MS} in all, or when the connection or its answer breaks, or on abort
   */
  handle(request: HttpRequest, options: HttpHandlerOptions = {}): Promise<{ response: HttpResponse }> {
    return new Promise((resolve, reject) => {
      let connected = false;
      const isPlain = request.protocol === 'http:';
      const outgoing = (isPlain ? http : https).request({
        method: request.method,
        host: request.hostname.replace(/^\[|\]$/g, ''),
        port: request.port,
        path: request.path,
        headers: request.headers,
        agent: isPlain ? this.#http : this.#https,
        signal: options.abortSignal as AbortSignal | undefined,
      });
      const connecting = setTimeout(() => outgoing.destroy(new Error('connect time-out')), CONNECT_MS);
      const answering = setTimeout(() => outgoing.destroy(new Error('time-out')), ATTEMPT_MS);
      const onConnected = () => {
        connected = true;
        clearTimeout(connecting);
      };
      const fail = (cause: NodeJS.ErrnoException) => {
        clearTimeout(connecting);
        clearTimeout(answering);
        const Failure = connected ? NoAnswerError : UnreachableError;
        reject(new Failure(cause.code ?? cause.message, { cause }));
      };
      outgoing.on('socket', (socket) => {
        if (outgoing.reusedSocket) onConnected();
        else socket.once(isPlain ? 'connect' : 'secureConnect', onConnected);
      });
      outgoing.on('error', fail);
      outgoing.on('close', () => fail(new Error('connection closed')));
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', fail);
        incoming.on('end', () => {
          const body = Buffer.concat(chunks);
          if (!isWhole(body, incoming.headers)) return fail(new Error('damaged answer'));
          if (!isDynamoDbs(incoming)) return fail(new Error('foreign answer'));
          clearTimeout(answering);
          resolve({
            response: { statusCode: incoming.statusCode ?? 0, headers: flat(incoming.headers), body },
          });
        });
      });
      outgoing.end(request.body);
    });
  }

  /** Closes idle connections, so that a process can end. */
  destroy(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /** Asked for by the SDK's interface; there is nothing to change. */
  updateHttpClientConfig(): void {}

  /** Asked for by the SDK's interface; there is nothing to show. */
  httpHandlerConfigs(): Record<string, never> {
    return {};
  }
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
function isDynamoDbs({ statusCode = 0, headers }: http.IncomingMessage): boolean {
  return statusCode >= 300 || headers['content-type'] === 'application/x-amz-json-1.0';
}

function flat(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
