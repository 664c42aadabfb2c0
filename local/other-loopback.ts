import { once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import { printError } from '../cli/print.ts';

/** The address that `localhost` may also mean, beside the one on which a service listens. */
const OTHER: Readonly<Record<string, string>> = {
  '127.0.0.1': '::1',
  '0.0.0.0': '::1',
  '::1': '127.0.0.1',
};

/**
 * Takes the same port of the other loopback address: under the name `localhost`, what another user's process has there would get
 * access tokens. If another process has it, says so.
 * @param server gets its connections
 * @returns what listens there, if anything does; a machine may have only one kind of address
 */
export async function takeOtherLoopback(
  server: http.Server,
  host: string,
  port: number,
): Promise<net.Server | undefined> {
  const other = OTHER[host];
  if (other === undefined) return undefined;
  const taker = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
  try {
    taker.listen({ port, host: other, ipv6Only: true });
    await once(taker, 'listening');
    // Without file descriptors, a connection cannot be accepted here either.
    taker.on('error', (error) => server.emit('error', error));
    server.once('close', () => taker.close());
    return taker;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      printError(
        `Another process has port ${port} of ${other}: do not write localhost, which may lead there.`,
      );
    return undefined;
  }
}
