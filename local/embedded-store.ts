import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { openDynalite } from './dynalite-store.ts';
import { storeFiles } from './store-files.ts';
import { guardStore } from './store-guard.ts';

// An import would load all that the module can do, `fetch` included: a tenth of the time of a start.
const { createServer } = process.getBuiltinModule('node:http');

/** The interval between checks that the store's files exist, in milliseconds; each request causes one too. */
const CHECK_MS = 500;

/** A stand-in for DynamoDB that runs in this process. */
export interface EmbeddedStore {
  /** Its address, on the loopback interface only. */
  readonly endpoint: string;
  /** The only access key id that it accepts; the secret key may be anything. */
  readonly accessKeyId: string;
  /**
   * Resolves when the store's files are missing, or with the error when one cannot be read or written. From then on the
   * store closes every connection without a response.
   */
  readonly lost: Promise<Error | undefined>;
  close(): Promise<void>;
}

/**
 * Opens dynalite's store, then starts a server for it in this process. Acknowledged items survive `kill -9`: LevelDB
 * passes each write to the operating system before it responds.
 * @param options.path the folder that keeps the items; in memory without it
 * @param options.accessKeyId the access key id to accept; a random one without it
 * @throws what LevelDB throws if it cannot open the store, with its code in `cause`
 */
export async function startEmbeddedStore({
  path,
  accessKeyId = randomBytes(16).toString('hex'),
}: {
  path?: string | undefined;
  accessKeyId?: string;
} = {}): Promise<EmbeddedStore> {
  const store = await openDynalite(path);
  const isIntact = path === undefined ? () => true : storeFiles(path);
  const lost = Promise.withResolvers<Error | undefined>();
  let isLost = false;
  const lose = (error?: Error) => {
    isLost = true;
    lost.resolve(error);
  };
  const check = () => {
    if (!isLost && !isIntact()) lose();
    return !isLost;
  };
  const server = createServer();
  guardStore(server, accessKeyId, { run: store.run, isOpen: check, fail: lose });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Too many open files: the client's connection ends, and the service responds in its place.
  server.on('error', () => undefined);
  const timer = setInterval(check, CHECK_MS).unref();
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKeyId,
    lost: lost.promise,
    close: async () => {
      clearInterval(timer);
      // Idle keep-alive connections would keep the server open.
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
      await store.close();
    },
  };
}
