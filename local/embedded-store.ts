import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A stand-in for DynamoDB that runs in a thread of this process. */
export interface EmbeddedStore {
  /** Its address, on the loopback interface only. */
  readonly endpoint: string;
  /** The only access key id that it accepts; the secret key may be anything. */
  readonly accessKeyId: string;
  /** Resolves when the store's files are missing. From then on the store closes every connection without an answer. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

/** What the store's thread is given. */
export interface StoreThreadData {
  readonly path?: string | undefined;
  readonly accessKeyId: string;
}

/** What the store's thread tells: first its address, and later that its files are missing. */
export type StoreMessage = { readonly endpoint: string } | 'lost';

/**
 * Starts dynalite in a thread of this process. Acknowledged items survive `kill -9`: LevelDB passes each write to the
 * operating system before it answers.
 * @param options.path the folder that keeps the items; in memory without it
 * @param options.accessKeyId the access key id to accept; a random one without it
 * @throws what dynalite throws while it starts
 */
export async function startEmbeddedStore({
  path,
  accessKeyId = randomBytes(16).toString('hex'),
}: {
  path?: string;
  accessKeyId?: string;
} = {}): Promise<EmbeddedStore> {
  const workerData: StoreThreadData = { path, accessKeyId };
  const thread = new Worker(new URL('./store-thread.ts', import.meta.url), { workerData });
  const [{ endpoint }] = await once(thread, 'message');
  const ended = once(thread, 'exit');
  const lost = Promise.withResolvers<void>();
  thread.once('message', lost.resolve);
  return {
    endpoint,
    accessKeyId,
    lost: lost.promise,
    close: async () => {
      thread.postMessage('close');
      await ended;
    },
  };
}
