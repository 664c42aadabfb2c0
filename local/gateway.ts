import http from 'node:http';
import { printBug } from '../cli/print.ts';
import type { GatewayResponseType } from '../infra/gateway-responses.ts';
import type { Handler } from '../lambda/middleware.ts';
import { executor } from './lambda-runtime.ts';
import { proxyEvent, requestIds } from './make-proxy-event.ts';
import { readBody } from './read-body.ts';
import {
  type GatewayLogLine,
  type LoggedResponse,
  makeLoggedResponse,
  sendResponse,
} from './send-response.ts';

/**
 * The largest event that Lambda accepts from a synchronous caller: 6 MB, including base64 and headers. API Gateway's
 * own limit for a body, 10 MB, is larger and so has no effect.
 */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** What the local service adds to the gateway. */
export interface GatewayOptions {
  /** Responds to requests that are not for the API. @returns whether it has responded */
  readonly responsePage?: (
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ) => boolean | Promise<boolean>;
  readonly log?: (line: GatewayLogLine) => void;
  /** The origins of the browser apps that may use the service, the same as the function's; absent: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Whether every request is throttled, as in a stage whose throttle is 0. */
  readonly isStopped?: boolean;
}

/**
 * A stand-in for the REST API in front of the function: it passes requests on as proxy events, and itself responds only
 * those that the deployed gateway would respond to. Every response conforms to the contract.
 * @returns a server that is not listening yet
 */
export function createGateway(handler: Handler, options: GatewayOptions = {}): http.Server {
  const { log = (line) => console.info(line), allowedOrigins } = options;
  const loggedResponse = makeLoggedResponse(log, allowedOrigins);
  const gateway: Gateway = {
    responsePage: options.responsePage ?? (() => false),
    execute: executor(handler),
    loggedResponse,
    isStopped: options.isStopped ?? false,
  };
  // Node's own refusals have no body; this service responds to a missing Host and an unknown Expect as the contract says.
  const server = http.createServer({ requireHostHeader: false });
  // A client that closes its half of the connection still waits for its response. Node's types lack this option.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', (request, response) => {
    ignoreErrors(request, response);
    void serve(gateway, request, response);
  });
  server.on('checkExpectation', (request, response) => {
    ignoreErrors(request, response);
    sendResponse(response, loggedResponse('DEFAULT_4XX'));
  });
  return server;
}

/** Ignores clients that disconnect: without a listener, the error would end the process. */
function ignoreErrors(request: http.IncomingMessage, response: http.ServerResponse): void {
  request.on('error', () => undefined);
  response.on('error', () => undefined);
}

interface Gateway extends Required<Pick<GatewayOptions, 'responsePage' | 'isStopped'>> {
  readonly execute: ReturnType<typeof executor>;
  readonly loggedResponse: LoggedResponse;
}

/** Responds to one request; never rejects. If the function fails or times out, the response is the gateway's DEFAULT_5XX. */
async function serve(gateway: Gateway, request: http.IncomingMessage, response: http.ServerResponse) {
  const ids = requestIds();
  const refuse = (type: GatewayResponseType) => sendResponse(response, gateway.loggedResponse(type, ids));
  try {
    if (await gateway.responsePage(request, response)) return;
    const body = await readBody(request, gateway.isStopped ? 0 : MAX_EVENT_BYTES);
    if (body === 'gone') return;
    if (gateway.isStopped) return refuse('THROTTLED');
    const event = body === 'too large' ? undefined : proxyEvent(request, body, ids);
    if (!event || Buffer.byteLength(JSON.stringify(event)) > MAX_EVENT_BYTES)
      return refuse('REQUEST_TOO_LARGE');
    const result = await gateway.execute(event, () => request.socket.destroyed);
    if (result !== 'gone') sendResponse(response, result);
  } catch (error) {
    printBug(error);
    refuse('DEFAULT_5XX');
  }
}
