import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { LAMBDA_TIMEOUT_MS } from '../lambda/limits.ts';
import type { OpenStore } from './open-store.ts';

/** How long requests in flight may take to finish, in milliseconds: a little longer than the function ever runs. */
const GRACE_MS = LAMBDA_TIMEOUT_MS + 1_000;

/**
 * Ends the process with 0 on SIGINT or SIGTERM, and with 1 when the store's files are gone. Requests in flight get
 * their answers first. A second signal ends the process at once.
 * @param folder the data folder, for the message; without it the store is in memory and is never lost
 */
export function endWhenAsked(server: Server, store: OpenStore, folder: string | undefined): void {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  let isEnding = false;
  const end = async (code: number) => {
    if (isEnding) return;
    isEnding = true;
    // Browsers connect ahead of a request. Node does not count such a connection as idle.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    await closeServer(server);
    await store.close().catch((error: unknown) => console.error(error));
    process.exit(code);
  };
  process.once('SIGINT', () => void end(0));
  process.once('SIGTERM', () => void end(0));
  // A process that started this one with a channel, as a load test does, has ended: nobody else would stop the service.
  process.once('disconnect', () => void end(0));
  void store.lost.then(() => {
    console.error(
      `The data folder ${folder} was deleted or moved, so the service ends. Nothing more was stored.`,
    );
    return end(1);
  });
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection that was busy becomes idle when its answer is sent; Node would keep it open for the client's next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
