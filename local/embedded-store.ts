import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const THREAD = new URL('./store-thread.ts', import.meta.url);

/** A store for the service and the tools on this machine. */
export interface LocalStore {
  readonly endpoint: string;
  /** The only access key id that an embedded store accepts; other stores use the credentials of the environment. */
  readonly accessKeyId?: string;
  /** Resolves with the error that ended an embedded store, such as a full disk. Connections are closed then, without a response. */
  readonly lost: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Starts dynalite in a thread of its own: under load, it and the service would share one core, and each would delay the other
 * until time limits pass.
 * @param path the folder that keeps the items; in memory without it
 * @param isUsed whether the folder must have a store already
 * @throws what LevelDB throws if it cannot open the store, with its code in `cause`
 */
export async function startEmbeddedStore(path?: string, isUsed = false): Promise<LocalStore> {
  const thread = new Worker(THREAD, { workerData: { path, isUsed } });
  const [address] = await once(thread, 'message');
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  return {
    ...address,
    lost: new Promise((resolve) => thread.once('error', resolve)),
    close: async () => {
      thread.postMessage('close');
      await ended;
    },
  };
}
