import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EmbeddedStore } from './embedded-store.ts';

const THREAD = new URL('./store-thread.ts', import.meta.url);

/**
 * Starts an embedded store in a thread of its own: under load, the service and dynalite would share one core, and each
 * would delay the other until time limits pass.
 * @param path the folder that keeps the items; in memory without it
 * @throws what the store throws if it cannot start
 */
export async function startThreadedStore(path?: string): Promise<EmbeddedStore> {
  const thread = new Worker(THREAD, { workerData: { path } });
  const [{ endpoint, accessKeyId }] = await once(thread, 'message');
  const ended = once(thread, 'exit');
  const lost = once(thread, 'message').then(([{ reason }]) => reason);
  return {
    endpoint,
    accessKeyId,
    lost,
    close: async () => {
      thread.postMessage('close');
      await ended;
    },
  };
}
