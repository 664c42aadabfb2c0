import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { openDynalite } from './dynalite-store.ts';
import { StoreFailure, storeFiles } from './store-files.ts';
import { guardStore } from './store-guard.ts';

// An import would load all that the module can do, `fetch` included: a tenth of the time of a start.
const { createServer } = process.getBuiltinModule('node:http');

/** A stand-in for DynamoDB that runs in this process. */
export interface EmbeddedStore {
  /** Its address, on the loopback interface only. */
  readonly endpoint: string;
  /** The only access key id that it accepts; the secret key may be anything. */
  readonly accessKeyId: string;
  /**
   * Resolves with the error of the first request for which the store's files are missing, or cannot be read or written. From then
   * on the store closes every connection without a response: LevelDB may lose what it says is written.
   */
  readonly lost: Promise<Error>;
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
  const expectFiles = path === undefined ? () => undefined : storeFiles(path);
  const lost = Promise.withResolvers<Error>();
  let failure: StoreFailure | undefined;
  const run: typeof store.run = async (...call) => {
    try {
      const response = await store.run(...call);
      if (failure) throw failure;
      expectFiles();
      return response;
    } catch (error) {
      if (error instanceof StoreFailure) {
        failure = error;
        lost.resolve(error);
      }
      throw error;
    }
  };
  const server = createServer();
  guardStore(server, accessKeyId, run);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Too many open files: the client's connection ends, and the service responds in its place.
  server.on('error', () => undefined);
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKeyId,
    lost: lost.promise,
    close: async () => {
      // Idle keep-alive connections would keep the server open.
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
      await store.close();
    },
  };
}
