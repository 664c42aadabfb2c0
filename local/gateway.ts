import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type GatewayResponseType, gatewayAnswer } from '../infra/gateway-answers.ts';
import { LAMBDA_TIMEOUT_MS } from '../lambda/limits.ts';
import { OPERATION } from '../lambda/request/proxy-event.ts';
import { proxyEvent, resourceOf } from './proxy-event.ts';

/** The largest request that API Gateway takes: 10 MB ("Quotas for REST APIs", payload size). */
const MAX_PAYLOAD_BYTES = 10 * 1024 * 1024;
/** The largest event that Lambda takes from a synchronous caller: 6 MB, base64 and headers included. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** The function as the gateway sees it. */
export type ProxyHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * A stand-in for the REST API in front of the function: it routes, limits and answers for itself as the deployed one
 * does, and hands on the rest as proxy events. No answer of it is anything but the contract's.
 * @returns a server that is not listening yet
 */
export function createGateway(handler: ProxyHandler): http.Server {
  // Node's own refusals have no body; a missing Host or a strange Expect get the contract's answer instead.
  const server = http.createServer({ requireHostHeader: false });
  server.on('request', (request, response) => void serve(handler, request, response));
  server.on('checkExpectation', (_request, response) => {
    send(response, refusal('DEFAULT_4XX'));
  });
  server.on('connect', (_request, socket: Duplex) => refuseSocket(socket));
  server.on('clientError', (_error, socket) => refuseSocket(socket));
  return server;
}

async function serve(
  handler: ProxyHandler,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  const requestId = randomUUID();
  if (request.method !== OPERATION.method || resourceOf(request) !== OPERATION.path) {
    // With an Authorization header AWS tries to read a signature, and finds none.
    const isSigned = request.headers.authorization !== undefined;
    return send(response, refusal(isSigned ? 'DEFAULT_4XX' : 'MISSING_AUTHENTICATION_TOKEN', requestId));
  }
  const body = await readBody(request);
  if (body === 'gone') return;
  if (body === 'too large') return send(response, refusal('REQUEST_TOO_LARGE', requestId));
  const event = proxyEvent(request, body, requestId);
  if (Buffer.byteLength(JSON.stringify(event)) > MAX_EVENT_BYTES) {
    return send(response, refusal('REQUEST_TOO_LARGE', requestId));
  }
  send(response, await invoke(handler, event, requestId));
}

/** Runs the function; one that fails or outlasts its time-out is answered as the gateway's DEFAULT_5XX. */
async function invoke(
  handler: ProxyHandler,
  event: APIGatewayProxyEvent,
  requestId: string,
): Promise<APIGatewayProxyResult> {
  const deadline = Date.now() + LAMBDA_TIMEOUT_MS;
  const context = {
    awsRequestId: requestId,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  } as Context;
  let timer: NodeJS.Timeout | undefined;
  const timeOut = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, LAMBDA_TIMEOUT_MS, new Error('The function timed out.'));
  });
  try {
    return await Promise.race([handler(event, context), timeOut]);
  } catch (error) {
    console.error(error);
    return refusal('DEFAULT_5XX', requestId);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads to the end even what is too large: a client that is cut off while it sends would not see the answer. */
function readBody(request: http.IncomingMessage): Promise<Buffer | 'too large' | 'gone'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_PAYLOAD_BYTES) chunks.push(chunk);
    });
    request.on('end', () => resolve(size > MAX_PAYLOAD_BYTES ? 'too large' : Buffer.concat(chunks)));
    request.on('close', () => resolve('gone'));
  });
}

function refusal(type: GatewayResponseType, requestId: string = randomUUID()): APIGatewayProxyResult {
  return gatewayAnswer(type, requestId);
}

function send(response: http.ServerResponse, answer: APIGatewayProxyResult): void {
  const body = Buffer.from(answer.body);
  response.writeHead(answer.statusCode, { ...renamed(answer.headers), 'content-length': body.length });
  response.end(body);
}

/** API Gateway renames this header on its way out, so nothing may come to depend on it here. */
function renamed(headers: APIGatewayProxyResult['headers']): Record<string, string | number | boolean> {
  const { 'www-authenticate': challenge, ...rest } = headers ?? {};
  return challenge === undefined ? rest : { ...rest, 'x-amzn-remapped-www-authenticate': challenge };
}

/** Answers what is not an HTTP request that Node can read, as far as the socket still can be written to. */
function refuseSocket(socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const { headers, body } = refusal('DEFAULT_4XX');
  const lines = Object.entries({
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  socket.end(
    `HTTP/1.1 400 Bad Request\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}
