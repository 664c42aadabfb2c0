import http from 'node:http';
import type { GatewayResponseType } from '../infra/gateway-responses.ts';
import type { Handler } from '../lambda/envelope.ts';
import { printBug } from '../terminal/print.ts';
import { handleBrokenRequests } from './broken-requests.ts';
import { executor } from './executor.ts';
import { proxyEvent } from './make-proxy-event.ts';
import { readBody } from './read-body.ts';
import { requestIds } from './request-ids.ts';
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

/**
 * The most that requests in progress may hold in memory, in bytes; one for which there is no room is throttled. A request counts
 * for the length of its body, or the largest if it comes in chunks, and for REQUEST_BYTES.
 */
const MOST_HELD_BYTES = 100_000_000;
const REQUEST_BYTES = 100_000;

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
  const most = options.isStopped ? 0 : MOST_HELD_BYTES;
  let held = 0;
  const gateway: Gateway = {
    responsePage: options.responsePage ?? (() => false),
    execute: executor(handler),
    loggedResponse,
    hold: ({ headers }, response) => {
      const unknown = 'transfer-encoding' in headers ? MAX_EVENT_BYTES : 0;
      const bytes = REQUEST_BYTES + Math.min(Number(headers['content-length'] ?? unknown), MAX_EVENT_BYTES);
      if (held + bytes > most) return false;
      held += bytes;
      // Also of a request that was refused in the middle of its body, whose reader never ends.
      response.once('close', () => (held -= bytes));
      return true;
    },
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
  handleBrokenRequests(server, loggedResponse);
  return server;
}

/** Ignores clients that disconnect: without a listener, the error would end the process. */
function ignoreErrors(request: http.IncomingMessage, response: http.ServerResponse): void {
  request.on('error', () => undefined);
  response.on('error', () => undefined);
}

interface Gateway extends Required<Pick<GatewayOptions, 'responsePage'>> {
  readonly execute: ReturnType<typeof executor>;
  readonly loggedResponse: LoggedResponse;
  /** Whether there is room for a request. It holds what it counts for until its response has ended. */
  readonly hold: (request: http.IncomingMessage, response: http.ServerResponse) => boolean;
}

/** Responds to one request; never rejects. If the function fails or times out, the response is the gateway's DEFAULT_5XX. */
async function serve(gateway: Gateway, request: http.IncomingMessage, response: http.ServerResponse) {
  const ids = requestIds();
  const refuse = (type: GatewayResponseType) => sendResponse(response, gateway.loggedResponse(type, ids));
  try {
    if (await gateway.responsePage(request, response)) return;
    const hasRoom = gateway.hold(request, response);
    const body = await readBody(request, hasRoom ? MAX_EVENT_BYTES : 0);
    if (body === 'gone') return;
    if (!hasRoom) return refuse('THROTTLED');
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
