import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ENVIRONMENT } from '../lambda/environment.ts';
import type { DataFolder } from './data-folder.ts';
import { startEmbeddedStore } from './embedded-store.ts';
import { PlainError } from './plain-error.ts';
import { ensureTables } from './tables.ts';

/** A store that has both tables. */
export interface OpenStore {
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Opens the store that this machine's service and tools use: the one that `AWS_ENDPOINT_URL_DYNAMODB` names, else an
 * embedded one. Points the environment at it, so that every client made afterwards talks to it.
 * @param options.folder keeps the embedded store's items; in memory without it
 * @param options.join use the running process's store where another process has the folder open
 * @throws PlainError when another process has the folder open and `join` is off, or when the store does not answer
 */
export async function openStore(options: {
  folder?: DataFolder | undefined;
  join?: boolean;
}): Promise<OpenStore> {
  const store = await findStore(options);
  process.env[ENVIRONMENT.endpoint] = store.endpoint;
  // An embedded store takes any Region and credentials, but a client will not start without them.
  process.env.AWS_REGION ??= 'local';
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  const client = new DynamoDBClient();
  try {
    await ensureTables(client);
  } catch (error) {
    await store.close();
    throw new PlainError(`The store at ${store.endpoint} does not answer (${(error as Error).message}).`);
  } finally {
    client.destroy();
  }
  return store;
}

async function findStore({
  folder,
  join,
}: {
  folder?: DataFolder | undefined;
  join?: boolean;
}): Promise<OpenStore> {
  const elsewhere = process.env[ENVIRONMENT.endpoint];
  if (elsewhere) return { endpoint: elsewhere, close: async () => undefined };
  if (!folder) return startEmbeddedStore();
  if (await folder.isInUse()) {
    if (join && folder.endpoint) return { endpoint: folder.endpoint, close: async () => undefined };
    throw new PlainError(
      `The data folder ${folder.path} is in use by another process; stop it, or choose --data.`,
    );
  }
  const store = await startEmbeddedStore({ path: folder.storePath });
  folder.endpoint = store.endpoint;
  return store;
}
