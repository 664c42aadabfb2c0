import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { ENTRY } from '../../infra/bundle.ts';
import { formatToken } from '../../lambda/store/token-format.ts';
import { bundleFile, startBundle } from '../support/function-under-test.ts';
import { AUDIENCE, startIdentityProvider } from '../support/identity-provider.ts';
import { type Script, ScriptedStore } from '../support/scripted-store.ts';
import { exception } from '../support/store-behaviors.ts';
import { plantEvent } from '../support/test-service.ts';
import type { Observation } from './observed-process.ts';

/** Limits that do not depend on the machine's load. */
const BUDGET = {
  bundleBytes: 208_000,
  gzippedBytes: 70_000,
  /** Built-in modules that Node loads only for the bundle. */
  builtIns: 38,
  /** One log line with Lambda's wrapper. */
  logBytes: 330,
} as const;

/** Built-in modules that the function does not need; each costs milliseconds. */
const FORBIDDEN =
  /(^NativeModule |\/)(undici|http2|child_process|dgram|fs\/promises|readline|zlib|perf_hooks)(\/|$)/;

const TOKEN = formatToken(new Uint8Array(32).fill(3));
const REQUEST_ID = '01234567-89ab-cdef-0123-456789abcdef';
const create = plantEvent(TOKEN, bodyOf(9223372036854775807n, WHOLE), {
  requestContext: { requestId: REQUEST_ID, extendedRequestId: 'JKJaXmPLvHcESHA=' } as never,
});

/** Serves requests with a new copy of the bundle over a scripted store. */
async function serve(events: object[], script: Script = {}) {
  const store = await ScriptedStore.start({ script });
  const { handler, lines } = startBundle(store.endpoint);
  const statuses = [];
  for (const event of events) statuses.push((await handler(event)).statusCode);
  await store.close();
  return { statuses, lines, calls: store.attempts };
}

/** Where a process differs from one in Lambda of a stage without an identity provider. */
interface Differences {
  readonly script?: Script;
  readonly bundle?: string;
  readonly variables?: NodeJS.ProcessEnv;
}

/** Serves requests in a process of its own, which starts as in Lambda. */
async function observe(
  events: object[],
  { script = {}, bundle = bundleFile(), variables = {} }: Differences = {},
) {
  const store = await ScriptedStore.start({ script });
  const program = path.join(import.meta.dirname, 'observed-process.ts');
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: store.endpoint, ...variables };
  const args = [program, path.join(bundle, '..', ENTRY), JSON.stringify(events)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  await store.close();
  return { ...(JSON.parse(stdout) as Observation), stderr, calls: store.attempts };
}

describe('the bundle', () => {
  test('is within its budgets, plain and gzipped', () => {
    const bytes = readFileSync(bundleFile());
    expect(bytes.length).toBeLessThanOrEqual(BUDGET.bundleBytes);
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(BUDGET.gzippedBytes);
  });

  test.each([
    ['boolean', 'true or false'],
    ['choice', 'one of '],
    ['date-time', ' of RFC 3339'],
    ['decimal', ' decimal places'],
    ['list', 'a list of '],
  ])('has the type %s only if a plant has such a property', (type, phrase) => {
    const source = (file: string) => readFileSync(`lambda/${file}.ts`, 'utf8');
    expect(source(`property-types/${type}`)).toContain(phrase);
    const isUsed = source('plant').includes(`/${type}.ts'`);
    expect(readFileSync(bundleFile(), 'utf8').includes(phrase)).toBe(isUsed);
  });

  test('returns without loading an unneeded built-in module or reading a file, and leaves no timer pending', async () => {
    const { statuses, loaded, filesRead, pending } = await observe([create, create]);
    expect(statuses).toEqual([200, 200]);
    expect(loaded.filter((name) => FORBIDDEN.test(name))).toEqual([]);
    expect(loaded.length).toBeLessThanOrEqual(BUDGET.builtIns);
    expect(filesRead.filter((name) => !name.includes(path.dirname(bundleFile())))).toEqual([]);
    expect(pending.filter((name) => name === 'Timeout')).toEqual([]);
  });

  test('has no code for an identity provider, which is also within its budgets where a stage has one', async () => {
    const [without, file] = [readFileSync(bundleFile(), 'utf8'), bundleFile('with')];
    for (const part of ['IDENTITY_PROVIDER', 'jwks_uri', 'openid-configuration', 'RS256'])
      expect([without.includes(part), readFileSync(file, 'utf8').includes(part)]).toEqual([false, true]);
    expect(readFileSync(file).length).toBeLessThanOrEqual(BUDGET.bundleBytes + 21_000);
    const provider = await startIdentityProvider(true);
    const event = plantEvent(await provider.grant(), bodyOf(1));
    const setting = JSON.stringify({ issuer: provider.issuer, audience: AUDIENCE });
    const { statuses, loaded, pending } = await observe([event], {
      bundle: file,
      variables: { IDENTITY_PROVIDER: setting },
    });
    provider.close();
    expect(statuses).toEqual([200]);
    expect(loaded.filter((name) => FORBIDDEN.test(name))).toEqual([]);
    expect(pending.filter((name) => name === 'Timeout')).toEqual([]);
  });

  test('calls the store before it is loaded, and logs nothing', async () => {
    const { lines, pending, calls } = await observe([]);
    expect(calls.GetItem).toBeGreaterThan(0);
    expect(pending).not.toContain('Timeout');
    expect(lines).toEqual([]);
  });

  test.each<[fault: string, script: Script, variables?: NodeJS.ProcessEnv]>([
    ['hangs', { GetItem: ['hang'] }],
    ['does not connect', { GetItem: ['hang on connect'] }],
    ['refuses connections', {}, { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' }],
    ['has no name', {}, { AWS_ENDPOINT_URL_DYNAMODB: 'http://store.invalid' }],
    ['sends garbage', { GetItem: [{ status: 200, body: '<html>' }] }],
    ['has no table', { GetItem: [exception('ResourceNotFoundException')] }],
    ['denies access', { GetItem: [exception('AccessDeniedException')] }],
    ['cannot be called for lack of credentials', {}, { AWS_ACCESS_KEY_ID: undefined, AWS_REGION: undefined }],
  ])('starts and prints nothing although the store %s', async (_, script, variables) => {
    const { lines, stderr, loaded } = await observe([], { script, ...(variables && { variables }) });
    expect({ lines, stderr }).toEqual({ lines: [], stderr: '' });
    expect(loaded).not.toEqual([]);
  });

  const mistyped = plantEvent(`${TOKEN.slice(0, -1)}x`, bodyOf(1));
  const noPlant = plantEvent(TOKEN, '{"id":"1"}');
  const unknown: Script = { GetItem: [{ status: 200, body: '{}' }] };
  test.each<[name: string, events: object[], status: number, calls: object, script?: Script]>([
    ['a new token costs one lookup', [create, create, create], 200, { GetItem: 1, PutItem: 3 }],
    ['a mistyped token costs no call', [mistyped, mistyped], 400, { GetItem: 0, PutItem: 0 }],
    ['another operation costs no call', [{ httpMethod: 'GET' }], 400, { GetItem: 0, PutItem: 0 }],
    ['an invalid plant costs no put', [noPlant, noPlant], 400, { GetItem: 1, PutItem: 0 }],
    ['an unknown token costs a lookup each time', [create, create], 400, { GetItem: 2, PutItem: 0 }, unknown],
  ])('%s', async (_, events, status, calls, script) => {
    const served = await serve(events, script);
    expect(served).toMatchObject({ calls, statuses: events.map(() => status) });
  });

  test('a request logs one short line', async () => {
    const { lines } = await serve([create]);
    const timestamp = new Date().toISOString();
    const printed = lines.map((message) => ({ timestamp, level: 'INFO', requestId: REQUEST_ID, message }));
    expect(printed).toHaveLength(1);
    expect(JSON.stringify(printed[0]).length).toBeLessThanOrEqual(BUDGET.logBytes);
  });
});
