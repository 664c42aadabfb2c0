import type { Server } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import { printError } from '../cli/print.ts';
import { LAMBDA_TIMEOUT_MS } from '../lambda/limits.ts';
import { folderProblem } from './data-folder.ts';
import type { LocalStore } from './embedded-store.ts';

/** The time that requests in flight have to finish, in milliseconds: a little longer than the function's timeout. */
const GRACE_MS = LAMBDA_TIMEOUT_MS + 1_000;

/**
 * Ends the process with exit code 0 on SIGINT or SIGTERM, and with 1 if the store's files are missing or cannot be used, or
 * if there are no file descriptors for connections. Requests in flight get their responses first. A second signal ends the process
 * at once.
 * @param service.other what else passes connections to the server
 * @param service.folder the data folder, for the message; without it the store is in memory and cannot be lost
 */
export function endWhenAsked({
  server,
  other,
  store,
  folder,
}: {
  readonly server: Server;
  readonly other: NetServer | undefined;
  readonly store: LocalStore;
  readonly folder: string | undefined;
}): void {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  let isEnding = false;
  const end = async (code: number) => {
    if (isEnding) return;
    isEnding = true;
    // Browsers open connections before they need them. Node does not count these as idle.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    await closeServer(server, other);
    await store.close();
    process.exit(code);
  };
  const fail = (reason: string) => {
    if (!isEnding) printError(`${reason} The service stops.`);
    return end(1);
  };
  process.once('SIGINT', () => void end(0));
  process.once('SIGTERM', () => void end(0));
  // The parent process, such as a load test, started this one with an IPC channel and has ended.
  process.once('disconnect', () => void end(0));
  void store.lost.then((error) => fail(folderProblem(folder, error)));
  server.on('error', ({ message }) => void fail(`Connections cannot be accepted (${message}).`));
}

/** Closes a server, and what else passes connections to it, once its requests in flight have ended, or after {@link GRACE_MS}. */
export async function closeServer(server: Server, other?: NetServer): Promise<void> {
  const closed = Promise.all(
    [server, other].map((each) => each && new Promise((resolve) => each.close(resolve))),
  );
  // A connection becomes idle after its response; Node would keep it open for the client's next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
