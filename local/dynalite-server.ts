import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listen } from './listen.ts';
import { makeServer, makeStore } from './patched-dynalite.ts';

/** The keys of LevelDB under which dynalite keeps its tables. */
const TABLES = { gte: 'table~', lt: 'table\u007f' };

/**
 * Opens dynalite's store, and starts a server for it on the loopback interface. Acknowledged items survive `kill -9`: LevelDB
 * passes each write to the operating system before it responds. An error of its files is thrown outside of all requests and ends
 * the thread, so that nothing is acknowledged after it.
 *
 * The store has a port, which every program on this machine can reach, and not a Unix socket: the SDK takes only the address of a
 * host. So it has an access key.
 * @param options.path the folder that keeps the items; in memory without it
 * @param options.isUsed whether the folder must have a store already; LevelDB would make a new one in place of a damaged one
 * @param options.accessKeyId the only access key id that it accepts; the secret key may be anything
 * @throws what LevelDB throws if it cannot open the store, with its code in `cause`
 */
export async function startDynalite({
  path,
  isUsed = false,
  accessKeyId = randomBytes(16).toString('hex'),
}: {
  path?: string | undefined;
  isUsed?: boolean;
  accessKeyId?: string;
} = {}) {
  const store = makeStore(path);
  await store.db.open({ createIfMissing: !isUsed });
  // A process that ended while it made a table left it so. No item can be in it, because it refuses them.
  for await (const [key, table] of store.db.iterator(TABLES))
    if (table.TableStatus !== 'ACTIVE') await store.db.del(key);
  const expectFiles = path === undefined ? () => undefined : sameFiles(path);
  const { server, respond } = makeServer(store);
  server.on('request', (request, response) => {
    if (!hasAccess(request, accessKeyId)) return refuse(response);
    expectFiles();
    respond(request, response);
    // dynalite would throw if a client disconnects.
    request.removeAllListeners('error').on('error', () => undefined);
  });
  const endpoint = await listen(server);
  // Too many open files: the client's connection ends, and the service responds in its place.
  server.on('error', () => undefined);
  return {
    endpoint,
    accessKeyId,
    close: async () => {
      // Idle keep-alive connections would keep the server open.
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    },
  };
}

/** @returns a function that throws if LevelDB's files were deleted, moved or replaced, which LevelDB would not notice */
function sameFiles(path: string): () => void {
  // LevelDB keeps its lock open, so that no new file can get its number.
  const number = () => statSync(join(path, 'LOCK'), { bigint: true, throwIfNoEntry: false })?.ino;
  const first = number();
  return () => {
    if (number() !== first) throw new Error('it was deleted or moved');
  };
}

/** Whether a request is signed with an access key id. dynalite knows none. */
function hasAccess({ headers: { authorization = '' } }: IncomingMessage, accessKeyId: string): boolean {
  return authorization.startsWith(`AWS4-HMAC-SHA256 Credential=${accessKeyId}/`);
}

/** Responds as DynamoDB does to an access key id that it does not know. */
function refuse(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' });
  const message = 'The security token included in the request is invalid.';
  response.end(JSON.stringify({ __type: 'com.amazon.coral.service#UnrecognizedClientException', message }));
}
