import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { BUNDLE_NAME, bundle } from '../../infra/bundle.ts';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { LAMBDA_TIMEOUT_MS } from '../../lambda/limits.ts';
import type { RequestLogLine } from '../../lambda/request/request.ts';
import { LOCAL_TABLES } from '../../local/tables.ts';
import type { Clock } from './clock.ts';
import { temporaryFolder } from './local-process.ts';

Object.assign(process.env, {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  [ENVIRONMENT.plantsTable]: LOCAL_TABLES.plants,
  [ENVIRONMENT.accessTokensTable]: LOCAL_TABLES.accessTokens,
});

/** One running copy of the function, with nothing remembered from any other. */
export interface FunctionUnderTest {
  /** Runs it with the time that Lambda would give it. */
  invoke(event: object): Promise<APIGatewayProxyResult>;
  /** What it logged. */
  readonly lines: readonly RequestLogLine[];
}

/** What the copies are made from: the file that is deployed. */
const file = bundled();

function bundled(): string {
  const folder = temporaryFolder();
  bundle(folder);
  return path.join(folder, `${BUNDLE_NAME}.cjs`);
}

/** The function logs by `console.info`, whoever's copy it is; the request's id tells whose. */
const logs = new Map<unknown, RequestLogLine[]>();
const print = console.info;
console.info = (line: unknown, ...rest: unknown[]) => {
  const lines = logs.get((line as RequestLogLine | undefined)?.request);
  if (lines) lines.push(line as RequestLogLine);
  else print(line, ...rest);
};

let copies = 0;

/**
 * Starts the bundled function with a client of its own: each copy of it is another module.
 * @param endpoint where it finds its store
 * @param clock what its time limits go by; without it, real time
 */
export function startFunction(endpoint: string, clock?: Clock): FunctionUnderTest {
  const request = `request-${++copies}`;
  const lines: RequestLogLine[] = [];
  logs.set(request, lines);
  const { handler } = load(endpoint, clock);
  return {
    lines,
    invoke: (event) => handler({ ...event, requestContext: { requestId: request } }, lambdaContext(clock)),
  };
}

const require = createRequire(import.meta.url);

/**
 * Loads a fresh copy of the bundle, as it is, with a client of its own.
 * @param endpoint where it finds its store; a copy reads it from the environment while it is loaded
 * @param clock in place of the timers that the copy uses
 */
export function load(
  endpoint: string,
  clock?: Clock,
): { handler: (event: unknown, context: Partial<Context>) => Promise<APIGatewayProxyResult> } {
  const names = ['module', 'exports', 'require', 'setTimeout', 'clearTimeout'];
  const run = compileFunction(readFileSync(file, 'utf8'), names, { filename: file });
  const module = { exports: {} as ReturnType<typeof load> };
  const timers = clock ?? globalThis;
  process.env[ENVIRONMENT.endpoint] = endpoint;
  try {
    run(module, module.exports, requireFor(clock), timers.setTimeout, timers.clearTimeout);
    return module.exports;
  } finally {
    delete process.env[ENVIRONMENT.endpoint];
  }
}

function requireFor(clock: Clock | undefined): (name: string) => unknown {
  if (!clock) return require;
  const { setTimeout, clearTimeout } = clock;
  return (name) => {
    if (/^(node:)?timers$/.test(name)) return { setTimeout, clearTimeout };
    return /^(node:)?timers\/promises$/.test(name) ? { setTimeout: clock.pause } : require(name);
  };
}

/** What the runtime hands over, as far as the function looks at it: how much of its time is left. */
function lambdaContext(clock?: Clock): Context {
  const now = () => clock?.now ?? Date.now();
  const deadline = now() + LAMBDA_TIMEOUT_MS;
  return { getRemainingTimeInMillis: () => deadline - now() } as Context;
}
