/** Starts the function: from its sources or as the bundle, in this process or in one of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { BUNDLE_NAME, bundle } from '../../infra/bundle.ts';
import { createPlantHandler } from '../../lambda/create-plant.ts';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { LAMBDA_TIMEOUT_MS } from '../../lambda/limits.ts';
import type { RequestLogLine } from '../../lambda/request/request.ts';
import { AccessTokenTable } from '../../lambda/store/access-token-table.ts';
import { PlantTable } from '../../lambda/store/plant-table.ts';
import { LOCAL_TABLES } from '../../local/tables.ts';
import type { Clock } from './clock.ts';
import type { Settings } from './function-process.ts';
import { temporaryFolder } from './temporary-root.ts';

Object.assign(process.env, {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  [ENVIRONMENT.plantsTable]: LOCAL_TABLES.plants,
  [ENVIRONMENT.accessTokensTable]: LOCAL_TABLES.accessTokens,
});

/** One running copy of the function, with nothing cached from another. */
export interface FunctionUnderTest {
  readonly handler: (event: unknown, context?: Partial<Context>) => Promise<APIGatewayProxyResult>;
  /** What it logged. */
  readonly lines: RequestLogLine[];
}

export interface SourceOptions {
  /** The clock that tokens expire by, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** The origins of browser apps. */
  readonly allowedOrigins?: readonly string[];
}

/** Starts the function from its sources. @param client for its store */
export function startSource(
  client: DynamoDBClient,
  { now, allowedOrigins }: SourceOptions = {},
): FunctionUnderTest {
  const lines: RequestLogLine[] = [];
  const handler = createPlantHandler({
    accessTokens: new AccessTokenTable(client, LOCAL_TABLES.accessTokens, now && { now }),
    plants: new PlantTable(client, LOCAL_TABLES.plants),
    writeLog: (line) => lines.push(line),
    allowedOrigins,
    version: '7',
  });
  return { lines, handler: (event, context = {}) => handler(event, context) };
}

let file: string | undefined;

/** The file that is deployed, built once. */
export function bundleFile(): string {
  if (file === undefined) {
    const folder = temporaryFolder();
    bundle(folder);
    file = path.join(folder, `${BUNDLE_NAME}.cjs`);
  }
  return file;
}

const require = createRequire(import.meta.url);

/** Makes a copy of the bundle from its scope. Compiled once, because that takes longer than most tests. */
let makeCopy: ReturnType<typeof compileFunction> | undefined;

/**
 * Starts a fresh copy of the bundle.
 * @param endpoint the address of its store; a copy reads it from the environment while it is loaded
 * @param clock replaces the timers that the copy uses; without it, real time
 */
export function startBundle(endpoint: string, clock?: Clock): FunctionUnderTest {
  const filename = bundleFile();
  const lines: RequestLogLine[] = [];
  const { setTimeout, clearTimeout } = clock ?? globalThis;
  const scope = {
    module: { exports: {} as Pick<FunctionUnderTest, 'handler'> },
    require: requireFor(clock),
    setTimeout,
    clearTimeout,
    console: { ...console, info: (line: RequestLogLine) => lines.push(line) },
  };
  makeCopy ??= compileFunction(readFileSync(filename, 'utf8'), Object.keys(scope), { filename });
  process.env[ENVIRONMENT.endpoint] = endpoint;
  try {
    makeCopy(...Object.values(scope));
  } finally {
    delete process.env[ENVIRONMENT.endpoint];
  }
  const { handler } = scope.module.exports;
  return { lines, handler: (event, context = lambdaContext(clock)) => handler(event, context) };
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

const PROCESS = fileURLToPath(new URL('function-process.ts', import.meta.url));

/** The bundle in its own process. */
export interface FunctionProcess {
  /** Its output: lines in Lambda's JSON log format. */
  readonly lines: string[];
  /** @throws Error if it exits before it answers, for example at its timeout */
  invoke(event: unknown): Promise<APIGatewayProxyResult>;
  /** Advances its clock, in milliseconds; apart from this, only its own pauses advance it. */
  advance(ms: number): Promise<void>;
  /** Ends the process; afterwards `lines` is complete. */
  stop(): Promise<void>;
}

/**
 * Starts the bundle in its own process, as the Lambda runtime does.
 * @param env its whole environment
 */
export async function startProcess(settings: Settings, env: NodeJS.ProcessEnv): Promise<FunctionProcess> {
  const child = fork(PROCESS, [JSON.stringify(settings)], { silent: true, execArgv: [], env });
  const lines: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')));
  child.stderr?.pipe(process.stderr);
  await message(child);
  return {
    lines,
    invoke: (event) => {
      child.send(event as object);
      return message(child) as Promise<APIGatewayProxyResult>;
    },
    advance: async (ms) => void child.send({ advance: ms }),
    stop: async () => {
      child.kill();
      // Answers and lines use different channels; at 'close' all lines have arrived.
      await once(child, 'close');
    },
  };
}

async function message(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`The function ended with ${code}.`)),
  );
  const [answer] = await Promise.race([once(child, 'message'), ended]);
  return answer;
}
