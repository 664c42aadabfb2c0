import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EmbeddedStore } from './embedded-store.ts';

const THREAD = new URL('./store-thread.ts', import.meta.url);

/**
 * Starts an embedded store in a thread of its own: under load, the service and dynalite would share one core, and each
 * would delay the other until time limits pass.
 * @param path the folder that keeps the items; in memory without it
 * @throws what LevelDB throws if it cannot open the store, with its code in `cause`
 */
export async function startThreadedStore(path?: string): Promise<EmbeddedStore> {
  const thread = new Worker(THREAD, { workerData: { path } });
  const [address] = await once(thread, 'message');
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  // An error that ends the thread is a bug of dynalite.
  const lost = once(thread, 'message').then(
    ([reason]) => reason,
    (error) => error,
  );
  return {
    ...address,
    lost,
    close: async () => {
      thread.postMessage('close');
      await ended;
    },
  };
}
