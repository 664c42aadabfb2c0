import { createHash, timingSafeEqual } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { printBug } from '../infra/terminal.ts';
import { readBody } from './read-body.ts';

/** The largest request that DynamoDB accepts, in bytes: 16 MB. */
const MAX_REQUEST_BYTES = 16 * 1024 * 1024;
const ACCESS_KEY_ID = /^AWS4-HMAC-SHA256 Credential=([^/,\s]{1,128})\//;
/** DynamoDB's answers to an unknown access key id, and to a body that it cannot parse. */
const UNKNOWN_CLIENT = {
  __type: 'com.amazon.coral.service#UnrecognizedClientException',
  message: 'The security token included in the request is invalid.',
};
const UNREADABLE = { __type: 'com.amazon.coral.service#SerializationException' };

/**
 * Protects dynalite, which accepts any signature, allows every web page to read it, and ends the process on some bodies
 * and when a client disconnects. Passes on only requests that have the given access key id, were not sent by a browser,
 * and have a complete JSON object as their body.
 * @param isOpen tells whether the store may still answer; if not, a request's connection is closed
 */
export function guardStore(server: Server, accessKeyId: string, isOpen: () => boolean): void {
  const [dynalite] = server.listeners('request') as [RequestListener];
  server.removeAllListeners('request');
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('request', (request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    if (!isOpen()) return void response.destroy();
    if (!isAllowed(request, accessKeyId)) return refuse(response, UNKNOWN_CLIENT);
    serve(dynalite, request, response).catch((error: unknown) => {
      printBug(error);
      response.destroy();
    });
  });
}

function isAllowed({ method, headers }: IncomingMessage, accessKeyId: string): boolean {
  const sent = ACCESS_KEY_ID.exec(headers.authorization ?? '')?.[1] ?? '';
  return (
    method === 'POST' && headers.origin === undefined && timingSafeEqual(digest(sent), digest(accessKeyId))
  );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function isObject(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Passes the complete request to dynalite. @throws what dynalite throws while it reads */
async function serve(
  dynalite: RequestListener,
  request: IncomingMessage,
  response: Parameters<RequestListener>[1],
): Promise<void> {
  const body = await readBody(request, MAX_REQUEST_BYTES);
  if (body === 'gone') return;
  if (body === 'too large' || !isObject(body)) return refuse(response, UNREADABLE);
  const { method, url, headers } = request;
  const whole = Object.assign(new EventEmitter(), { method, url, headers });
  dynalite(whole as unknown as IncomingMessage, response);
  whole.emit('data', body);
  whole.emit('end');
}

function refuse(response: ServerResponse, error: object): void {
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' });
  response.end(JSON.stringify(error));
}
