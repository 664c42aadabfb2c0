import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { BUNDLE_NAME, bundle } from '../../infra/bundle.ts';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { LAMBDA_TIMEOUT_MS } from '../../lambda/limits.ts';
import type { RequestLogLine } from '../../lambda/request/request.ts';
import { LOCAL_TABLES } from '../../local/tables.ts';

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
  const folder = mkdtempSync(path.join(tmpdir(), 'plant-store-bundle-'));
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
 */
export function startFunction(endpoint: string): FunctionUnderTest {
  const request = `request-${++copies}`;
  const lines: RequestLogLine[] = [];
  logs.set(request, lines);
  const { handler } = load(endpoint);
  return {
    lines,
    invoke: (event) => handler({ ...event, requestContext: { requestId: request } }, lambdaContext()),
  };
}

const require = createRequire(import.meta.url);

/**
 * Loads a fresh copy of the bundle, as it is, with a client of its own.
 * @param endpoint where it finds its store; a copy reads it from the environment while it is loaded
 */
export function load(endpoint: string): {
  handler: (event: unknown, context: Partial<Context>) => Promise<APIGatewayProxyResult>;
} {
  process.env[ENVIRONMENT.endpoint] = endpoint;
  delete require.cache[file];
  try {
    return require(file);
  } finally {
    delete process.env[ENVIRONMENT.endpoint];
  }
}

/** What the runtime hands over, as far as the function looks at it: how much of its time is left. */
export function lambdaContext(): Context {
  const deadline = Date.now() + LAMBDA_TIMEOUT_MS;
  return { getRemainingTimeInMillis: () => deadline - Date.now() } as Context;
}
