import { devNull } from 'node:os';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PlainError } from '../cli/plain-error.ts';
import { ENVIRONMENT } from '../lambda/environment.ts';
import { DataFolder, folderProblem } from './data-folder.ts';
import { DEFAULT_DATA_FOLDER } from './defaults.ts';
import { type LocalStore, startEmbeddedStore } from './embedded-store.ts';
import { ensureTables } from './ensure-tables.ts';

/**
 * Opens the store for the service and the tools on this machine: the store at `AWS_ENDPOINT_URL_DYNAMODB`, or else an
 * embedded one. Sets the environment so that all clients created later use it.
 * @param kept the folder that keeps the embedded store's items; in memory without it
 * @param join whether to use the store of another process that has the folder open
 * @throws PlainError if another process has the folder open and `join` is off, or if the store is damaged or cannot be used
 */
export async function openStore(kept: DataFolder | undefined, join = false): Promise<LocalStore> {
  const endpoint = process.env[ENVIRONMENT.endpoint];
  const folder = endpoint ? undefined : kept;
  const store = await (endpoint
    ? runningStore(endpoint)
    : folder
      ? openFolder(folder, join)
      : startEmbeddedStore());
  useStore(store);
  const client = new DynamoDBClient();
  try {
    await ensureTables(client, folder?.isUsed);
  } catch (error) {
    await store.close();
    const cause = (await storeError(store)) ?? (error as Error);
    if (folder) throw new PlainError(folderProblem(folder.path, cause));
    throw new PlainError(
      `The store at ${store.endpoint} cannot be used (${cause.message || (cause as NodeJS.ErrnoException).code}).`,
    );
  } finally {
    client.destroy();
  }
  return store;
}

/**
 * Does something with the store of this machine: that at `AWS_ENDPOINT_URL_DYNAMODB`, or else that of a data folder, also
 * while `npm start` has it open. Clients made by `work` use that store.
 * @throws PlainError if there is no data folder; a mistyped name must not create one
 */
export async function withLocalStore<Result>(
  data: string = DEFAULT_DATA_FOLDER,
  work: () => Promise<Result>,
): Promise<Result> {
  const isElsewhere = Boolean(process.env[ENVIRONMENT.endpoint]);
  if (!isElsewhere && !DataFolder.exists(data))
    throw new PlainError(`There is no data folder ${data}; npm start creates one, --data selects another.`);
  const store = await openStore(isElsewhere ? undefined : new DataFolder(data), true);
  return work().finally(store.close);
}

/** The error that ended an embedded store; undefined if it has not ended. */
export async function storeError({ lost }: LocalStore): Promise<Error | undefined> {
  return Promise.race([lost, undefined]);
}

/**
 * Opens the store in a data folder, and writes down its address. LevelDB's lock makes sure that one process has it open,
 * and ends with that process, even after `kill -9`.
 * @throws PlainError if another process has it open and `join` is off, or if the store is damaged or cannot be opened
 */
async function openFolder(folder: DataFolder, join: boolean): Promise<LocalStore> {
  try {
    const store = await startEmbeddedStore(folder.storePath, folder.isUsed);
    // The process that had the folder open before may have been a service.
    folder.write('url', '');
    folder.write('pid', String(process.pid));
    folder.write('endpoint', store.endpoint);
    folder.write('access-key-id', String(store.accessKeyId));
    return store;
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('LEVEL_')) throw error;
    // An error of opening says no more than that; an error of reading has no cause.
    const { cause = error } = error as { cause?: unknown };
    if ((cause as NodeJS.ErrnoException).code !== 'LEVEL_LOCKED')
      throw new PlainError(folderProblem(folder.path, cause as Error));
  }
  const [endpoint, accessKeyId] = [folder.read('endpoint'), folder.read('access-key-id')];
  if (join && endpoint && accessKeyId) return { ...runningStore(endpoint), accessKeyId };
  const [url, pid] = [folder.read('url'), folder.read('pid') ?? 'that is starting'];
  const user = `${url ? `the service at ${url}, ` : ''}process ${pid}`;
  throw new PlainError(`The data folder ${folder.path} is in use by ${user}; stop it, or choose --data.`);
}

function runningStore(endpoint: string): LocalStore {
  return { endpoint, lost: new Promise(() => undefined), close: async () => undefined };
}

/**
 * Makes all clients of this process use a store, whatever the shell and the AWS CLI's files say. Another store than the embedded
 * one gets their credentials, Region and retries; of an embedded one, they say nothing that is true.
 */
function useStore({ endpoint, accessKeyId }: LocalStore): void {
  const { env } = process;
  if (accessKeyId !== undefined) {
    for (const name of Object.keys(env)) if (name.startsWith('AWS_')) delete env[name];
    Object.assign(env, { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull });
  }
  env[ENVIRONMENT.endpoint] = endpoint;
  for (const name of ['IGNORE_CONFIGURED_ENDPOINT_URLS', 'USE_FIPS_ENDPOINT', 'USE_DUALSTACK_ENDPOINT'])
    env[`AWS_${name}`] = 'false';
  // The SDK needs a Region and credentials; an embedded store checks only the access key id.
  env.AWS_REGION ||= env.AWS_DEFAULT_REGION || 'local';
  env.AWS_ACCESS_KEY_ID = accessKeyId ?? (env.AWS_ACCESS_KEY_ID || 'local');
  env.AWS_SECRET_ACCESS_KEY ||= 'local';
}
