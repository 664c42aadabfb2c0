import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PlainError } from '../infra/plain-error.ts';
import { ENVIRONMENT } from '../lambda/environment.ts';
import type { DataFolder } from './data-folder.ts';
import { ensureTables } from './tables.ts';
import { startThreadedStore } from './threaded-store.ts';

/** A store that has both tables. */
export interface OpenStore {
  readonly endpoint: string;
  /** The access key id of an embedded store; other stores use the credentials of the environment. */
  readonly accessKeyId?: string;
  /** Resolves when the files of an embedded store are missing. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

interface StoreOptions {
  readonly folder?: DataFolder | undefined;
  readonly join?: boolean;
}

/**
 * Opens the store for the service and the tools on this machine: the store at `AWS_ENDPOINT_URL_DYNAMODB`, or else an
 * embedded one. Sets the environment so that all clients created later use it.
 * @param options.folder keeps the embedded store's items; in memory without it
 * @param options.join whether to use the store of another process that has the folder open
 * @throws PlainError if another process has the folder open and `join` is off, or if the store does not answer
 */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  const store = await findStore(options);
  process.env[ENVIRONMENT.endpoint] = store.endpoint;
  setCredentials(store.accessKeyId);
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

async function findStore({ folder, join }: StoreOptions): Promise<OpenStore> {
  const elsewhere = process.env[ENVIRONMENT.endpoint];
  if (elsewhere) return runningStore(elsewhere);
  if (!folder) return startThreadedStore();
  if (await folder.isInUse()) {
    const [endpoint, accessKeyId] = [folder.read('endpoint'), folder.read('access-key-id')];
    if (join && endpoint && accessKeyId) return { ...runningStore(endpoint), accessKeyId };
    const url = folder.read('url');
    const user = url ? `the service at ${url}` : 'another process';
    throw new PlainError(`The data folder ${folder.path} is in use by ${user}; stop it, or choose --data.`);
  }
  const store = await startThreadedStore(folder.storePath);
  // The process that had the folder open before may have been a service.
  folder.write('url', '');
  folder.write('endpoint', store.endpoint);
  folder.write('access-key-id', store.accessKeyId);
  return store;
}

function runningStore(endpoint: string): OpenStore {
  return { endpoint, lost: new Promise(() => undefined), close: async () => undefined };
}

/** The SDK needs a Region and credentials; of these, an embedded store checks only the access key id. */
function setCredentials(accessKeyId: string | undefined): void {
  process.env.AWS_REGION ??= 'local';
  process.env.AWS_ACCESS_KEY_ID = accessKeyId ?? process.env.AWS_ACCESS_KEY_ID ?? 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  if (accessKeyId === undefined) return;
  // With a profile the SDK would ignore the variables; a session token belongs to other credentials.
  delete process.env.AWS_PROFILE;
  delete process.env.AWS_SESSION_TOKEN;
}
