/** Starts the function: from its sources or as the bundle. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { BUNDLE, bundle } from '../../infra/bundle.ts';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { LAMBDA_TIMEOUT_MS } from '../../lambda/limits.ts';
import { makeHandler, type Settings } from '../../lambda/middleware.ts';
import { operations } from '../../lambda/operations.ts';
import type { Operation } from '../../lambda/request/invocation.ts';
import type { RequestLogLine } from '../../lambda/request/log.ts';
import { documentClient } from '../../lambda/store/store.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import type { Clock } from './clock.ts';
import { type Script, ScriptedStore } from './scripted-store.ts';
import { temporaryFolder } from './temporary-root.ts';

Object.assign(process.env, {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  [ENVIRONMENT.plantsTable]: LOCAL_TABLES.plants,
  [ENVIRONMENT.accessTokensTable]: LOCAL_TABLES.accessTokens,
});

type Handler = (event: unknown, context?: Partial<Context>) => Promise<APIGatewayProxyResult>;

/** One running copy of the function, with nothing cached from another. */
export interface FunctionUnderTest {
  readonly handler: Handler;
  /** What it logged. */
  readonly lines: RequestLogLine[];
}

/** A line as it is in the log, where an object is JSON: without the fields that have no value. */
function asLogged(line: object): RequestLogLine {
  return JSON.parse(JSON.stringify(line));
}

/** Starts an operation, as the function does. @param settings of the handler that differ from those of a service without origins */
export function startOperation(operation: Operation, settings: Partial<Settings> = {}): FunctionUnderTest {
  const lines: RequestLogLine[] = [];
  const writeLog = (line: RequestLogLine) => lines.push(asLogged(line));
  const handler = makeHandler(operation, { writeLog, version: '7', ...settings });
  return { lines, handler: (event, context = {}) => handler(event, context) };
}

/** Starts the function from its sources. @param client for its store @param allowedOrigins the origins of browser apps */
export function startSource(client: DynamoDBClient, allowedOrigins?: readonly string[]): FunctionUnderTest {
  return startOperation(operations(process.env, client), { allowedOrigins });
}

/**
 * Runs work with the function's client for a store that follows a script.
 * @param advance moves the function's clock; without it, real time
 * @returns the result of the work
 */
export async function overScript<T>(
  script: Script,
  work: (client: DynamoDBDocumentClient, store: ScriptedStore) => Promise<T>,
  advance?: (ms: number) => Promise<unknown>,
): Promise<T> {
  const store = await ScriptedStore.start({ script, ...(advance && { clock: { advance } }) });
  const client = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: store.endpoint });
  try {
    return await work(client, store);
  } finally {
    client.destroy();
    await store.close();
  }
}

const folders = new Map<string, Promise<string>>();

/** The file that is deployed, built once. @param variables that the function has for its optional code @param isPlain as the setting `plain` says */
export async function bundleFile(variables: readonly string[] = [], isPlain = false): Promise<string> {
  const folder = temporaryFolder();
  const key = JSON.stringify([variables, isPlain]);
  const built = folders.get(key) ?? bundle(folder, variables, isPlain).then(() => folder);
  folders.set(key, built);
  return path.join(await built, BUNDLE);
}

const require = createRequire(import.meta.url);

/** Makes a copy of a bundle from its scope. Each file is compiled once, because that takes longer than most tests. */
const compiled = new Map<string, ReturnType<typeof compileFunction>>();

/**
 * Starts a fresh copy of the bundle.
 * @param endpoint the address of its store; a copy reads it from the environment while it is loaded
 * @param clock replaces the timers that the copy uses; without it, real time
 * @param file replaces the bundle, such as the asset of a stack
 * @param name the name of its handler
 * @returns also what INIT waits for, and the level of each line
 */
export async function startBundle(endpoint: string, clock?: Clock, file?: string, name = 'handler') {
  const filename = file ?? (await bundleFile());
  const lines: RequestLogLine[] = [];
  const levels: string[] = [];
  const at = (level: string) => (line: object) => {
    lines.push(asLogged(line));
    levels.push(level);
  };
  const { setTimeout, clearTimeout } = clock ?? globalThis;
  const scope = {
    module: { exports: {} as Record<string, Handler> & { connect: () => Promise<void> } },
    require: requireFor(clock),
    setTimeout,
    clearTimeout,
    console: { ...console, info: at('INFO'), error: at('ERROR') },
  };
  const makeCopy =
    compiled.get(filename) ??
    compileFunction(readFileSync(filename, 'utf8'), Object.keys(scope), { filename });
  compiled.set(filename, makeCopy);
  process.env[ENVIRONMENT.endpoint] = endpoint;
  try {
    makeCopy(...Object.values(scope));
  } finally {
    delete process.env[ENVIRONMENT.endpoint];
  }
  const handler = scope.module.exports[name];
  if (!handler) throw new Error(`${filename} exports no ${name}.`);
  const { connect } = scope.module.exports;
  const handle: Handler = (event, context = lambdaContext(clock)) => handler(event, context);
  return { lines, levels, connect, handler: handle };
}

function requireFor(clock: Clock | undefined): (name: string) => unknown {
  if (!clock) return require;
  const { setTimeout, clearTimeout } = clock;
  return (name) => {
    if (/^(node:)?timers$/.test(name)) return { setTimeout, clearTimeout };
    return /^(node:)?timers\/promises$/.test(name) ? { setTimeout: clock.pause } : require(name);
  };
}

/** The part of the runtime's context that the function reads: its remaining time. */
function lambdaContext(clock?: Clock): Partial<Context> {
  const now = () => clock?.now ?? Date.now();
  const deadline = now() + LAMBDA_TIMEOUT_MS;
  return { getRemainingTimeInMillis: () => deadline - now() };
}
