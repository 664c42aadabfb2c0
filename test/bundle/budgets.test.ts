import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { BUNDLE_NAME, bundleAsync } from '../../infra/bundle.ts';
import { formatToken } from '../../lambda/request/token-format.ts';
import type { Act } from '../support/acts.ts';
import { temporaryFolder } from '../support/local-process.ts';
import { ScriptedStore } from '../support/scripted-store.ts';
import { plantEvent } from '../support/test-service.ts';

/** Limits that do not depend on the machine's load; `bench/` measures times. */
const BUDGET = {
  bundleBytes: 200_000,
  gzippedBytes: 66_000,
  /** Built-in modules that Node loads only for the bundle. */
  builtIns: 36,
  /** One log line with Lambda's wrapper. */
  logBytes: 330,
} as const;

/** Built-in modules that the function does not need; each costs milliseconds. */
const FORBIDDEN = [
  'undici',
  'http2',
  'child_process',
  'dgram',
  'fs/promises',
  'readline',
  'zlib',
  'perf_hooks',
];

const TOKEN = formatToken(new Uint8Array(32).fill(3));
const RUN = new URL('first-requests.ts', import.meta.url).pathname;
let file = '';

beforeAll(async () => {
  const folder = temporaryFolder();
  await bundleAsync(folder);
  file = path.join(folder, `${BUNDLE_NAME}.cjs`);
});

/** Serves requests in a separate process over a stub store. */
async function serve(events: object[], getItem?: Act[]) {
  const store = await ScriptedStore.start({ script: getItem ? { GetItem: getItem } : {} });
  const env = {
    NODE_OPTIONS: process.env.NODE_OPTIONS,
    HOME: '/home/plant',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    PLANTS_TABLE: 'Plants',
    ACCESS_TOKENS_TABLE: 'AccessTokens',
    AWS_LAMBDA_FUNCTION_VERSION: '17',
  };
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, file, JSON.stringify(events)], {
    env,
  });
  await store.close();
  return { calls: store.attempts, ...JSON.parse(stdout) };
}

const create = plantEvent(TOKEN, '{"id":9223372036854775807,"name":"Fern","tag":"shade"}', {
  requestContext: { requestId: '01234567-89ab-cdef-0123-456789abcdef' } as never,
});

describe('the bundle stays within its budgets', () => {
  test('its size, plain and gzipped', () => {
    const bytes = readFileSync(file);
    expect(bytes.length).toBeLessThanOrEqual(BUDGET.bundleBytes);
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(BUDGET.gzippedBytes);
  });

  test('its first answer loads no unneeded built-in module, reads no file, and leaves nothing pending', async () => {
    const { statuses, loaded, filesRead, waitingFor } = await serve([create]);
    expect(statuses).toEqual([200]);
    const unwanted = (name: string) =>
      FORBIDDEN.some((word) => new RegExp(`(^NativeModule |/)${word}(/|$)`).test(name));
    expect(loaded.filter(unwanted)).toEqual([]);
    expect(loaded.length).toBeLessThanOrEqual(BUDGET.builtIns);
    expect(filesRead.filter((name: string) => name !== file)).toEqual([]);
    expect(waitingFor.filter((name: string) => name === 'Timeout')).toEqual([]);
  });

  test('the first request with a token makes two calls, later ones one', async () => {
    const { statuses, calls } = await serve([create, create, create]);
    expect(statuses).toEqual([200, 200, 200]);
    expect(calls).toEqual({ GetItem: 1, PutItem: 3 });
  });

  test('a refused request makes no call, or only the token look-up', async () => {
    const mistyped = plantEvent(`${TOKEN.slice(0, -1)}x`, '{"id":1,"name":"Fern"}');
    const noPlant = plantEvent(TOKEN, '{"id":"1"}');
    expect((await serve([mistyped, { httpMethod: 'GET' }])).calls).toEqual({ GetItem: 0, PutItem: 0 });
    expect((await serve([noPlant, noPlant])).calls).toEqual({ GetItem: 1, PutItem: 0 });
    const unknown = await serve([create, create], [{ status: 200, body: '{}' }]);
    expect(unknown.statuses).toEqual([400, 400]);
    expect(unknown.calls).toEqual({ GetItem: 2, PutItem: 0 });
  });

  test('a request logs one short line', async () => {
    const { lines } = await serve([create]);
    expect(lines).toHaveLength(1);
    const wrapped = JSON.stringify({
      timestamp: '2026-01-01T00:00:00.000Z',
      level: 'INFO',
      requestId: '01234567-89ab-cdef-0123-456789abcdef',
      message: lines[0],
    });
    expect(wrapped.length).toBeLessThanOrEqual(BUDGET.logBytes);
  });
});
