import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { isThrottlingError } from '@smithy/core/retry';
import type { RetryStrategyV2 } from '@smithy/types';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { build, type Plugin } from 'esbuild';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { TARGET } from '../../infra/bundle.ts';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { Failure } from '../../lambda/errors.ts';
import { errorResponse, resultResponse } from '../../lambda/response/responses.ts';
import { formatToken } from '../../lambda/tokens/token-format.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { plantEvent } from '../../test/support/test-service.ts';
import { quota } from './quota.ts';
import type { Store } from './store.ts';

/** One process of a program that creates a plant. */
export type Process = (context: { getRemainingTimeInMillis(): number }) => Promise<APIGatewayProxyResult>;

/** A program that creates plants. */
export interface Subject {
  readonly name: string;
  /** Starts a process of it, over a store. */
  start(store: Store): Process;
}

type Sources = Pick<typeof import('../../lambda/service.ts'), 'makeService'> &
  Pick<typeof import('../../lambda/store/store.ts'), 'documentClient'>;

/** What differs from the function as it is. */
interface Changes {
  /** Limits of lambda/limits.ts. */
  readonly limits?: Readonly<Record<string, number>>;
  /** What the SDK repeats by, in place of nothing. */
  readonly retryStrategy?: () => RetryStrategyV2;
}

const ROOT = join(import.meta.dirname, '../..');
const REGION = { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
const TABLES = { [ENVIRONMENT.plantsTable]: 'Plants', [ENVIRONMENT.accessTokensTable]: 'AccessTokens' };
const EVENT = plantEvent(formatToken(new Uint8Array(32).fill(3)), bodyOf(1, WHOLE));

/** The function, with the limits that it has or others, from its sources. */
export async function ourFunction(
  name: string,
  { limits = {}, retryStrategy }: Changes = {},
): Promise<Subject> {
  const outfile = join(temporaryFolder(), 'function.cjs');
  await build({
    stdin: {
      contents:
        'export { makeService } from "./lambda/service.ts"; export { documentClient } from "./lambda/store/store.ts";',
      resolveDir: ROOT,
    },
    outfile,
    bundle: true,
    // No lines of the log.
    banner: { js: 'const console = { ...globalThis.console, info() {}, error() {} };' },
    format: 'cjs',
    platform: 'node',
    target: TARGET,
    plugins: [withLimits(limits)],
  });
  const { makeService, documentClient }: Sources = createRequire(import.meta.url)(outfile);
  return {
    name,
    start(store) {
      const client = documentClient(REGION);
      Object.assign(client.config, { requestHandler: store });
      if (retryStrategy) {
        const strategy = retryStrategy();
        Object.assign(client.config, { retryStrategy: async () => strategy });
      }
      const { handler } = makeService(TABLES, client, []);
      return (context) => handler(EVENT, context);
    },
  };
}

function withLimits(limits: Readonly<Record<string, number>>): Plugin {
  return {
    name: 'limits',
    setup(builder) {
      builder.onLoad({ filter: /lambda[\\/]limits\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        const contents = Object.entries(limits).reduce((text, [name, value]) => {
          const changed = text.replace(new RegExp(`(?<=^export const ${name} = ).*$`, 'm'), `${value};`);
          if (changed === text)
            throw new Error(`lambda/limits.ts has no ${name}, or it is ${value} already.`);
          return changed;
        }, source);
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** A handler of the usual kind: the SDK with all its defaults, and our errors. It looks up no token, as ours does only once a minute. */
const plainHandler: Subject = {
  name: 'SDK default',
  start(store) {
    const client = new DynamoDBClient({ requestHandler: store });
    const put = new PutItemCommand({
      TableName: 'Plants',
      Item: { id: { N: '1' } },
      ConditionExpression: 'attribute_not_exists(id)',
    });
    return async () => {
      try {
        await client.send(put);
        return resultResponse({}, 'request');
      } catch (error) {
        const isThrottled = isThrottlingError(error as Parameters<typeof isThrottlingError>[0]);
        return errorResponse(
          new Failure(isThrottled ? 'TOO_MANY_REQUESTS' : 'SERVICE_FAULT').published,
          'request',
        );
      }
    };
  },
};

/** All subjects, in the order of the table. The last is what the others are compared with. */
export async function subjects(): Promise<Subject[]> {
  // No retry settings of this machine.
  const none = { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };
  for (const name of ['AWS_MAX_ATTEMPTS', 'AWS_RETRY_MODE', 'AWS_DEFAULTS_MODE']) delete process.env[name];
  Object.assign(process.env, REGION, none);
  return [
    await ourFunction('ours'),
    await ourFunction('short pauses', { limits: { MAX_THROTTLE_PAUSE_MS: 200 } }),
    await ourFunction('long pauses', { limits: { MAX_THROTTLE_PAUSE_MS: 2_000 } }),
    await ourFunction('a quota', { limits: { STORE_ATTEMPTS: 1 }, retryStrategy: () => quota(4) }),
    await ourFunction('no repeats', { limits: { STORE_ATTEMPTS: 1 } }),
    plainHandler,
  ];
}
