import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { awsSource, TIME_LIMITS } from '../cli/aws-source.ts';
import { PlainError } from '../cli/plain-error.ts';
import { oneLine } from '../cli/print.ts';
import { ENVIRONMENT } from '../lambda/environment.ts';
import { DataFolder, folderProblem } from './data-folder.ts';
import { DEFAULT_DATA_FOLDER, startCommand } from './defaults.ts';
import { type LocalStore, startEmbeddedStore } from './embedded-store.ts';
import { ensureTables } from './ensure-tables.ts';

/**
 * Opens the store for the service and the tools on this machine: the store at `AWS_ENDPOINT_URL_DYNAMODB`, or else an
 * embedded one. For the service, the former is tried first (probe-store.ts).
 * @param kept the folder that keeps the embedded store's items; in memory without it
 * @param environment the shell's: it may name a store, and then has its credentials and its Region
 * @param join for a tool: whether to use the store of another process that has the folder open
 * @returns the store, and the settings of a client for it
 * @throws PlainError if another process has the folder open and `join` is off, or if the store is damaged or cannot be used
 */
export async function openStore(
  kept: DataFolder | undefined,
  environment: NodeJS.ProcessEnv,
  join = false,
): Promise<LocalStore & { readonly settings: DynamoDBClientConfig }> {
  const endpoint = environment[ENVIRONMENT.endpoint];
  if (endpoint) requireStoreAddress(endpoint);
  const folder = endpoint ? undefined : kept;
  const store = await (endpoint
    ? runningStore(endpoint)
    : folder
      ? openFolder(folder, join)
      : startEmbeddedStore());
  const settings = clientSettings(store, environment);
  const client = new DynamoDBClient(settings);
  try {
    await ensureTables(client, folder?.isUsed);
    // The tools create no plants. Loaded only here, because it reads openapi.yaml.
    if (endpoint && !join) await (await import('./probe-store.ts')).probeStore(client);
  } catch (error) {
    await store.close();
    const cause = (await storeError(store)) ?? (error as Error);
    if (folder) throw new PlainError(folderProblem(folder.path, cause));
    const reason = cause.message || String((cause as NodeJS.ErrnoException).code);
    // What is no store of DynamoDB's may have the SDK say it in several lines.
    throw new PlainError(oneLine(`The store at ${store.endpoint} cannot be used (${reason}).`));
  } finally {
    client.destroy();
  }
  return { ...store, settings };
}

/**
 * Does something with the store of this machine: that at `AWS_ENDPOINT_URL_DYNAMODB`, or else that of a data folder, also
 * while `npm start` has it open.
 * @param work gets the settings of a client for the store
 * @throws PlainError if there is no data folder; a mistyped name must not create one
 */
export async function withLocalStore<Result>(
  data: string = DEFAULT_DATA_FOLDER,
  work: (settings: DynamoDBClientConfig) => Promise<Result>,
): Promise<Result> {
  const isElsewhere = Boolean(process.env[ENVIRONMENT.endpoint]);
  if (!isElsewhere && !DataFolder.exists(data))
    throw new PlainError(
      `There is no data folder ${data}. To create it: ${startCommand(data)}. To select another: --data.`,
    );
  const store = await openStore(isElsewhere ? undefined : new DataFolder(data), process.env, true);
  return work(store.settings).finally(store.close);
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
  // While it is written, the file is empty.
  const [url, pid] = [folder.read('url'), folder.read('pid') || 'that is starting'];
  const user = `${url ? `the service at ${url}, ` : ''}process ${pid}`;
  throw new PlainError(`The data folder ${folder.path} is in use by ${user}; stop it, or choose --data.`);
}

/** @throws PlainError without the address, which may have a password, unless it is the origin of an HTTP server */
function requireStoreAddress(text: string): void {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return;
  throw new PlainError(
    `${ENVIRONMENT.endpoint} must be an http or https address without a user name and password.`,
  );
}

function runningStore(endpoint: string): LocalStore {
  return { endpoint, lost: new Promise(() => undefined), close: async () => undefined };
}

/**
 * The settings of a client for a store. All that a shell and the AWS CLI's files could say against its address has a value here. Another
 * store than the embedded one gets their credentials, Region and retries; of an embedded one, they say nothing that is true.
 */
function clientSettings(
  { endpoint, accessKeyId }: LocalStore,
  environment: NodeJS.ProcessEnv,
): DynamoDBClientConfig {
  const address = {
    endpoint,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    requestHandler: TIME_LIMITS,
  };
  if (accessKeyId !== undefined) {
    const credentials = { accessKeyId, secretAccessKey: 'any' };
    // The SDK needs some Region, whatever the store.
    return { ...address, region: 'local', credentials, ...SDK_DEFAULTS };
  }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  // DynamoDB Local and dynalite know any, but moto 5 only those of AWS.
  const region = environment.AWS_REGION || environment.AWS_DEFAULT_REGION || 'us-east-1';
  const { hasKeys, profile } = awsSource(environment);
  if (profile && !hasKeys) return { ...address, region, profile };
  // DynamoDB Local and its like need some, and accept any.
  const credentials = {
    accessKeyId: AWS_ACCESS_KEY_ID || 'local',
    secretAccessKey: AWS_SECRET_ACCESS_KEY || 'local',
    sessionToken: AWS_SESSION_TOKEN || undefined,
  };
  return { ...address, region, credentials };
}

/** What the SDK would else look for in the environment and in files. */
const SDK_DEFAULTS = { maxAttempts: 3, retryMode: 'standard', defaultsMode: 'legacy' } as const;
