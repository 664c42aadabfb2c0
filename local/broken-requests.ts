import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { type LoggedResponse, sendResponse } from './send-response.ts';

/** The time that a refused client has to read its response before its connection is closed, in milliseconds. */
const LINGER_MS = 1_000;

/**
 * Responds to CONNECT, and requests that Node cannot parse, with an error of the contract, and then ends the connection.
 * Pending responses to earlier requests on the connection are sent first.
 */
export function handleBrokenRequests(server: Server, loggedResponse: LoggedResponse): void {
  // Responses on a connection are sent in the order of their requests, so only the newest one matters.
  const newest = new WeakMap<Duplex, ServerResponse>();
  const remember = ({ socket }: IncomingMessage, response: ServerResponse) => newest.set(socket, response);
  server.prependListener('request', remember);
  server.prependListener('checkExpectation', remember);

  const end = (socket: Duplex, reason: string) => {
    // Node may have removed its own listener.
    socket.on('error', () => socket.destroy());
    // Each further chunk of the broken request emits another event.
    if (!socket.writable) return;
    const response = newest.get(socket);
    if (!response || response.writableFinished) {
      // A request whose body breaks after its response gets no second one.
      if (!response || response.req.complete)
        socket.write(rawResponse(loggedResponse('DEFAULT_4XX', undefined, reason)));
      return closeSoon(socket);
    }
    response.shouldKeepAlive = false;
    response.once('close', () => closeSoon(socket));
    if (!response.req.complete && !response.headersSent)
      sendResponse(response, loggedResponse('DEFAULT_4XX', undefined, reason));
  };
  server.on('connect', (_request, socket: Duplex) => {
    end(socket, 'CONNECT');
    socket.resume();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => end(socket, error.code ?? error.name));
}

/** Waits so that the client can read its response: closing a connection with unread data resets it and loses the response. */
function closeSoon(socket: Duplex): void {
  socket.end();
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function rawResponse({ headers, body }: APIGatewayProxyResult): string {
  const fields = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`;
}
