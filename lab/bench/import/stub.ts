import { createServer } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';
const LENGTH = /^content-length: (\d+)/im;

/** A service that stores nothing: it confirms each plant at once, for less CPU than an HTTP server of Node takes. */
export const stub = createServer((socket) => {
  let received = '';
  socket.on('error', () => undefined);
  // One character a byte, so that the length of the body is that of its text.
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
    for (let end = endOf(received); end !== undefined; end = endOf(received)) {
      socket.write(responseTo(received.slice(0, end)), 'latin1');
      received = received.slice(end);
    }
  });
});

/** Where the first request ends; undefined if it is not whole. */
function endOf(received: string): number | undefined {
  const head = received.indexOf(END_OF_HEAD);
  if (head < 0) return undefined;
  const end = head + END_OF_HEAD.length + Number(LENGTH.exec(received.slice(0, head))?.[1]);
  return received.length < end ? undefined : end;
}

/** The plant without its id, which is its first property. */
function responseTo(request: string): string {
  const body = `{${request.slice(request.indexOf('"name"'))}`;
  const head = ['HTTP/1.1 200 OK', 'content-type: application/json', 'cache-control: no-store'];
  const ours = ['x-content-type-options: nosniff', 'x-request-id: 0', `content-length: ${body.length}`];
  return [...head, ...ours].join('\r\n') + END_OF_HEAD + body;
}
