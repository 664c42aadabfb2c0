import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PlainError } from '../cli/plain-error.ts';

const THREAD = new URL('./store-thread.ts', import.meta.url);

/** A store for the service and the tools on this machine. */
export interface LocalStore {
  readonly endpoint: string;
  /** The only access key id that an embedded store accepts; absent if the store is no embedded one. */
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
 * @throws what LevelDB throws if it cannot open the store, with its code in `cause`; PlainError if dynalite cannot be patched
 */
export async function startEmbeddedStore(path?: string, isUsed = false): Promise<LocalStore> {
  const thread = new Worker(THREAD, { workerData: { path, isUsed } });
  const [address] = await once(thread, 'message').catch((error) => {
    // What a thread throws arrives without its class.
    throw error.name === 'PlainError' ? new PlainError(error.message) : error;
  });
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
