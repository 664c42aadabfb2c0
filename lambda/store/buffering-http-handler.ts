import http from 'node:http';
import https from 'node:https';
import type { HttpHandlerOptions, HttpRequest, HttpResponse } from '@smithy/types';
import { crc32 } from '../crc32.ts';
import type { Fault, ForeignName } from '../faults.ts';
import { ATTEMPT_MS, CONNECT_MS } from '../limits.ts';

/** Identifies the caller in CloudTrail's data events and to AWS support. Not signed, like the SDK's own. */
const USER_AGENT = 'plant-store';

const OPENING_BRACE = 0x7b;

/** DynamoDB's response did not arrive whole. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** The cause, for the log. */
  readonly fault: Fault | ForeignName;
  /** Whether the store may have received the request. */
  readonly isSent: boolean;

  constructor(fault: Fault | ForeignName, isSent: boolean, cause?: Error) {
    super(fault, { cause });
    this.fault = fault;
    this.isSent = isSent;
  }
}

/**
 * Sends the SDK's requests and buffers each response. It replaces the SDK's handler for three reasons: it reports whether
 * a failed request may have reached the store, its time limit covers the body too, and it creates no streams for responses
 * of a few hundred bytes.
 */
export class BufferingHttpHandler {
  readonly #http = new http.Agent({ keepAlive: true });
  readonly #https = new https.Agent({ keepAlive: true });

  /**
   * @throws ConnectionError after {@link CONNECT_MS} without a connection, after {@link ATTEMPT_MS} in all, when the
   * connection is refused or breaks, when the response is damaged or not DynamoDB's, or on abort
   */
  handle(
    request: HttpRequest,
    { abortSignal }: HttpHandlerOptions = {},
  ): Promise<{ response: HttpResponse }> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(request, abortSignal as AbortSignal | undefined);
      const fail = (fault: Fault | ForeignName, cause?: Error) => {
        clearTimeout(timer);
        reject(new ConnectionError(abortSignal?.aborted ? 'deadline' : fault, isConnected(), cause));
      };
      const onError = (cause: NodeJS.ErrnoException) => fail(String(cause.code) as ForeignName, cause);
      const stop = (fault: Fault) => {
        // Itself, because after a 101 the request is over and has no more events.
        fail(fault);
        outgoing.destroy();
      };
      const isConnected = watchConnecting(outgoing, () => stop('connect timeout'));
      const timer = setTimeout(stop, ATTEMPT_MS, 'timeout');
      outgoing.on('error', onError);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        // "close" always follows and has the same effect, but an event without a listener could end the process.
        incoming.on('error', onError);
        incoming.on('end', () => {
          const body = Buffer.concat(chunks);
          const fault = faultOfResponse(incoming, body);
          if (fault) return fail(fault);
          clearTimeout(timer);
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
      // Without the brackets of an IPv6 address, which the SDK leaves.
      host: request.hostname.replace(/[[\]]/g, ''),
      port: request.port,
      path: request.path,
      headers: { ...request.headers, 'user-agent': USER_AGENT },
      agent: isPlain ? this.#http : this.#https,
      signal,
    });
  }
}

/**
 * Gives a request {@link CONNECT_MS} to connect, including TLS. Nothing of the request is sent before it is connected.
 * @returns a function that tells whether the request has connected
 */
function watchConnecting(outgoing: http.ClientRequest, onTimeout: () => void): () => boolean {
  let connected = false;
  const timer = setTimeout(onTimeout, CONNECT_MS);
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

/**
 * Why a response cannot be taken for DynamoDB's. Its bodies are never empty, and come with their CRC-32; its successes are JSON
 * objects, with a media type of their own, and name no error (AWS JSON 1.0 protocol). Any other 200, such as a proxy's page, would
 * look like a put that succeeded or an item that does not exist. A 429 says all with its status.
 * @returns undefined if it can
 */
export function faultOfResponse(
  { statusCode, headers }: Pick<http.IncomingMessage, 'statusCode' | 'headers'>,
  body: Buffer,
): Fault | undefined {
  if (statusCode === 429) return undefined;
  const expected = headers['x-amz-crc32'];
  if (body.length === 0 || (expected !== undefined && Number(expected) !== crc32(body)))
    return 'damaged response';
  const isSuccess = (statusCode as number) < 300;
  const isObject = headers['content-type'] === 'application/x-amz-json-1.0' && body[0] === OPENING_BRACE;
  if (isSuccess && !(isObject && isWithoutError(body))) return 'foreign response';
  return undefined;
}

/** A property of an item may have this text too, so it must be the name of a member of the whole. */
function isWithoutError(object: Buffer): boolean {
  try {
    return !object.includes('"__type"') || !Object.hasOwn(JSON.parse(String(object)), '__type');
  } catch {
    return false;
  }
}

/**
 * The SDK signs by the clock of the last response with a date, and one wrong date, such as a proxy's, would have the next attempts
 * refused. So a date is passed on only with a refused signature, which shows that this machine's clock is wrong.
 */
function responseOf({ statusCode, headers }: http.IncomingMessage, body: Buffer): HttpResponse {
  const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  if (!body.includes('Signature')) delete flat.date;
  return { statusCode: statusCode as number, headers: flat, body };
}
