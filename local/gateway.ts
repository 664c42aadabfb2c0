import http from 'node:http';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { printBug, printError } from '../cli/print.ts';
import { GATEWAY_RESPONSES, type GatewayResponseType, gatewayResponse } from '../infra/gateway-responses.ts';
import type { Handler } from '../lambda/middleware.ts';
import { ERRORS } from '../lambda/published-errors.ts';
import { executor } from './lambda-runtime.ts';
import { proxyEvent, type RequestIds, requestIds } from './make-proxy-event.ts';
import { readBody } from './read-body.ts';

/**
 * The largest event that Lambda accepts from a synchronous caller: 6 MB, including base64 and headers. API Gateway's
 * own limit for a body, 10 MB, is larger and so has no effect.
 */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** The log line of a request that the gateway itself responded to. Like AWS's access log, it has no path and no header. */
interface GatewayLogLine {
  readonly gateway: GatewayResponseType;
  readonly error: number;
  readonly request: string;
  readonly extendedRequestId: string;
}

/** What the local service shows beside the API. */
export interface Page {
  readonly title: string;
  readonly path: string;
  /** @returns whether it has responded; it leaves other requests alone */
  readonly respond: (request: http.IncomingMessage, response: http.ServerResponse) => Promise<boolean>;
}

/** What the local service adds to the gateway. */
export interface GatewayOptions {
  readonly pages?: readonly Page[];
  readonly log?: (line: GatewayLogLine) => void;
  /** Called for each response, also those of the gateway. */
  readonly onResponse?: ((request: http.IncomingMessage, result: APIGatewayProxyResult) => void) | undefined;
  /** The origins of the browser apps that may use the service, the same as the function's; absent: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/**
 * A stand-in for the REST API in front of the function: it passes requests on as proxy events, and itself responds only
 * those that the deployed gateway would respond to. Every response conforms to the contract.
 * @returns a server that is not listening yet
 */
export function createGateway(handler: Handler, options: GatewayOptions = {}): http.Server {
  const { pages = [], log = (line) => console.info(line), allowedOrigins } = options;
  const { onResponse = () => undefined } = options;
  const gateway: Gateway = {
    pages,
    execute: executor(handler),
    send(response, result) {
      sendResponse(response, result);
      onResponse(response.req, result);
    },
    ownResponse(type, { requestId: request, extendedRequestId }) {
      log({ gateway: type, error: ERRORS[GATEWAY_RESPONSES[type]].error, request, extendedRequestId });
      return gatewayResponse(type, request, allowedOrigins);
    },
  };
  // Node's own refusals have no body; this service responds to a missing Host and an unknown Expect as the contract says.
  const server = http.createServer({ requireHostHeader: false, keepAliveTimeout: NEVER });
  // A client that closes its half of the connection still waits for its response. Node's types lack this option.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', (request, response) => {
    ignoreErrors(request, response);
    void respond(gateway, request, response);
  });
  server.on('checkExpectation', (request, response) => {
    ignoreErrors(request, response);
    gateway.send(response, gateway.ownResponse('DEFAULT_4XX', requestIds()));
  });
  finishBeforeMalformed(server);
  return server;
}

/**
 * Idle connections stay open until the client closes them: whatever the time, a request that is sent at the moment at which it
 * ends is lost (https://github.com/nodejs/node/issues/52649), and Node's default of 5 s is a usual pause.
 */
const NEVER = 0;

/**
 * Lets a whole request get its response before the connection is closed for what follows and is malformed, such as the rest of a
 * body that is longer than its Content-Length. Node would send its own 400 at once, which the client would take for the response.
 */
function finishBeforeMalformed(server: http.Server): void {
  const responses = new WeakMap<Duplex, http.ServerResponse>();
  server.on('request', (request, response) => responses.set(request.socket, response));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    if (code === 'HPE_HEADER_OVERFLOW') printError(TOO_MUCH_HEADER);
    const response = responses.get(socket);
    // Node then closes the connection after this response.
    if (response?.req.complete && !response.writableFinished) response.shouldKeepAlive = false;
    else if (socket.writable) socket.end(MALFORMED, () => socket.destroy());
    else socket.destroy();
  });
}

/** Node's limit, of which nothing else would tell. */
const TOO_MUCH_HEADER =
  'A request was refused with 400: its header is larger than 16 KB. Browsers send the cookies of all services on this host: delete them there.';

/** What has no event has no request id, and so no body of ours. */
const MALFORMED = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';

/** Ignores clients that disconnect: without a listener, the error would end the process. */
function ignoreErrors(request: http.IncomingMessage, response: http.ServerResponse): void {
  request.on('error', () => undefined);
  response.on('error', () => undefined);
}

interface Gateway extends Required<Pick<GatewayOptions, 'pages'>> {
  readonly execute: ReturnType<typeof executor>;
  send(response: http.ServerResponse, result: APIGatewayProxyResult): void;
  /** Logs one of the gateway's own responses, and returns it. */
  ownResponse(type: GatewayResponseType, ids: RequestIds): APIGatewayProxyResult;
}

/** Responds to one request; never rejects. If the function fails or times out, the response is the gateway's DEFAULT_5XX. */
async function respond(gateway: Gateway, request: http.IncomingMessage, response: http.ServerResponse) {
  const ids = requestIds();
  const refuse = (type: GatewayResponseType) => gateway.send(response, gateway.ownResponse(type, ids));
  try {
    for (const page of gateway.pages) if (await page.respond(request, response)) return;
    const body = await readBody(request, MAX_EVENT_BYTES);
    if (body === 'gone') return;
    const event = body === 'too large' ? undefined : proxyEvent(request, body, ids);
    if (!event || Buffer.byteLength(JSON.stringify(event)) > MAX_EVENT_BYTES)
      return refuse('REQUEST_TOO_LARGE');
    gateway.send(response, await gateway.execute(event));
  } catch (error) {
    printBug(error);
    refuse('DEFAULT_5XX');
  }
}

/** Sends a result. If the response has already started, closes the connection instead. */
function sendResponse(response: http.ServerResponse, result: APIGatewayProxyResult): void {
  if (response.headersSent) return void response.destroy();
  const body = Buffer.from(result.body);
  // A 204 must not have the header (RFC 9110 §8.6).
  const length = result.statusCode === 204 ? {} : { 'content-length': body.length };
  response.writeHead(result.statusCode, { ...renamed(result.headers), ...length });
  response.end(body);
}

/** Renames WWW-Authenticate as API Gateway does, so that no client of this service depends on the original name. */
function renamed(headers: APIGatewayProxyResult['headers']): http.OutgoingHttpHeaders {
  const { 'www-authenticate': challenge, ...rest } = (headers ?? {}) as http.OutgoingHttpHeaders;
  return challenge === undefined ? rest : { ...rest, 'x-amzn-remapped-www-authenticate': challenge };
}
