import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { printBug } from '../cli/print.ts';
import type { DynaliteStore } from './dynalite-store.ts';
import { readBody } from './read-body.ts';
import { StoreFailure } from './store-files.ts';

const CONTENT_TYPE = { 'content-type': 'application/x-amz-json-1.0' };
/** The largest request that DynamoDB accepts, in bytes: 16 MB. */
const MAX_REQUEST_BYTES = 16 * 1024 * 1024;
const ACCESS_KEY_ID = /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\//;
/** DynamoDB's responses to an unknown access key id, and to a body that it cannot parse. */
const UNKNOWN_CLIENT = {
  __type: 'com.amazon.coral.service#UnrecognizedClientException',
  message: 'The security token included in the request is invalid.',
};
const UNREADABLE = { __type: 'com.amazon.coral.service#SerializationException' };

/**
 * Protects dynalite, which knows no access keys. Passes on only requests that have the given access key id, were not sent
 * by a browser, and have a complete JSON object as their body. If the store throws, the connection is closed.
 *
 * The store has a port, which every program on this machine can reach, and not a Unix socket: `AWS_ENDPOINT_URL_DYNAMODB` is all
 * that the function knows of its store, and the SDK takes only the address of a host there. A socket would need an agent of Node's
 * (`socketPath`) in `lambda/`, and would not work for the AWS CLI.
 */
export function guardStore(server: Server, accessKeyId: string, run: DynaliteStore['run']): void {
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('request', (request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    if (!isAllowed(request, accessKeyId)) return refuse(response, UNKNOWN_CLIENT);
    serve(run, request, response).catch((error: Error) => {
      if (!(error instanceof StoreFailure)) printBug(error);
      response.destroy();
    });
  });
}

function isAllowed({ method, headers }: IncomingMessage, accessKeyId: string): boolean {
  if (method !== 'POST' || headers.origin !== undefined) return false;
  return ACCESS_KEY_ID.exec(headers.authorization ?? '')?.[1] === accessKeyId;
}

/** @returns undefined if the body is not a JSON object */
function objectIn(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return value instanceof Object && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Responds to one request. @throws what the store throws */
async function serve(run: DynaliteStore['run'], request: IncomingMessage, response: ServerResponse) {
  const body = await readBody(request, MAX_REQUEST_BYTES);
  if (body === 'gone') return;
  const input = body === 'too large' ? undefined : objectIn(body);
  if (!input) return refuse(response, UNREADABLE);
  const operation = String(request.headers['x-amz-target']).replace(/^DynamoDB_20120810\./, '');
  const result = await run(operation, input);
  response.writeHead(result.status, CONTENT_TYPE);
  response.end(JSON.stringify(result.body));
}

function refuse(response: ServerResponse, error: object): void {
  response.writeHead(400, { ...CONTENT_TYPE, connection: 'close' });
  response.end(JSON.stringify(error));
}
