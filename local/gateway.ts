import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { printBug } from '../infra/terminal.ts';
import type { Handler } from '../lambda/create-plant.ts';
import { type GatewayLogLine, type Refuse, refuser, sendAnswer } from './answers.ts';
import { handleBrokenRequests } from './broken-requests.ts';
import { invoke } from './lambda-runtime.ts';
import { proxyEvent } from './proxy-event.ts';
import { readBody } from './read-body.ts';

/**
 * The largest event that Lambda accepts from a synchronous caller: 6 MB, including base64 and headers. API Gateway's
 * own limit for a body, 10 MB, is larger and so has no effect.
 */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** What the local service adds to the gateway. */
export interface GatewayOptions {
  /** Answers requests that are not for the API. @returns whether it has answered */
  readonly answerPage?: (request: http.IncomingMessage, response: http.ServerResponse) => boolean;
  readonly log?: (line: GatewayLogLine) => void;
  /** The origins of the browser apps that may use the service, the same as the function's; absent: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/**
 * A stand-in for the REST API in front of the function: it passes requests on as proxy events, and itself answers only
 * those that the deployed gateway would answer. Every answer conforms to the contract.
 * @returns a server that is not listening yet
 */
export function createGateway(handler: Handler, options: GatewayOptions = {}): http.Server {
  const refuse = refuser(options.log ?? ((line) => console.info(line)), options.allowedOrigins);
  // Node's own refusals have no body; this service answers a missing Host and an unknown Expect as the contract says.
  const server = http.createServer({ requireHostHeader: false });
  // A client that closes its half of the connection still waits for its answer. Node's types lack this option.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', (request, response) => {
    ignoreErrors(request, response);
    void serve({ handler, refuse, ...options }, request, response);
  });
  server.on('checkExpectation', (request, response) => {
    ignoreErrors(request, response);
    sendAnswer(response, refuse('DEFAULT_4XX'));
  });
  handleBrokenRequests(server, refuse);
  return server;
}

/** Ignores clients that disconnect: without a listener, the error would end the process. */
function ignoreErrors(request: http.IncomingMessage, response: http.ServerResponse): void {
  request.on('error', () => undefined);
  response.on('error', () => undefined);
}

/** Answers one request; never rejects. If the function fails or times out, the answer is the gateway's DEFAULT_5XX. */
async function serve(
  { handler, refuse, answerPage }: GatewayOptions & { handler: Handler; refuse: Refuse },
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const requestId = randomUUID();
  try {
    if (answerPage?.(request, response)) return;
    const body = await readBody(request, MAX_EVENT_BYTES);
    if (body === 'gone') return;
    const event = body === 'too large' ? undefined : proxyEvent(request, body, requestId);
    if (!event || Buffer.byteLength(JSON.stringify(event)) > MAX_EVENT_BYTES)
      return sendAnswer(response, refuse('REQUEST_TOO_LARGE', requestId));
    sendAnswer(response, await invoke(handler, event, requestId));
  } catch (error) {
    printBug(error);
    sendAnswer(response, refuse('DEFAULT_5XX', requestId));
  }
}
