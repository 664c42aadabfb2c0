import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { ENTRY } from '../../infra/bundle.ts';
import { ROUTES } from '../../lambda/routes.ts';
import { formatToken } from '../../lambda/tokens/token-format.ts';
import { bundleFile } from '../support/function-under-test.ts';
import { AUDIENCE, startIdentityProvider } from '../support/identity-provider.ts';
import { ScriptedStore } from '../support/scripted-store.ts';
import { plantEvent } from '../support/test-service.ts';
import type { Observation } from './observed-process.ts';

/** Those beside the create. */
const FURTHER_OPERATIONS = Object.keys(ROUTES).length - 1;

/** Limits that do not depend on the machine's load. */
const BUDGET = {
  bundleBytes: 208_000 + FURTHER_OPERATIONS * 2_500,
  gzippedBytes: 70_000 + FURTHER_OPERATIONS * 800,
  /** Built-in modules that Node loads only for the bundle. */
  builtIns: 39,
  /** One log line with Lambda's wrapper. */
  logBytes: 330,
} as const;

const TO_RAISE = 'bytes of the bundle: BUDGET has some for each operation, and may be raised for more';

/** Built-in modules that the function does not need; each costs milliseconds. */
const FORBIDDEN =
  /(^NativeModule |\/)(undici|http2|child_process|dgram|fs\/promises|readline|zlib|perf_hooks)(\/|$)/;

/** Text of the parts of the SDK that `infra/lean-sdk.ts` leaves out: credentials of a container, files, endpoints, streams. */
const LEFT_OUT = [
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_ENABLE_ENDPOINT_DISCOVERY',
  ':event-type',
];

const TOKEN = formatToken(new Uint8Array(32).fill(3));
const REQUEST_ID = '01234567-89ab-cdef-0123-456789abcdef';
const create = plantEvent(TOKEN, bodyOf(9223372036854775807n, WHOLE), {
  requestContext: { requestId: REQUEST_ID, extendedRequestId: 'JKJaXmPLvHcESHA=' } as never,
});

/**
 * Serves requests in a process of its own, which starts as in Lambda, over a scripted store.
 * @param variables that differ from those of a stage without an identity provider
 */
async function observe(events: object[], variables: NodeJS.ProcessEnv = {}, bundle = bundleFile()) {
  const store = await ScriptedStore.start();
  const program = path.join(import.meta.dirname, 'observed-process.ts');
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: store.endpoint, ...variables };
  const args = [program, path.join(await bundle, '..', ENTRY), JSON.stringify(events)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  await store.close();
  return { ...(JSON.parse(stdout) as Observation), stderr, calls: store.attempts };
}

test('the bundle is within its budgets, plain and gzipped, and has no part of the SDK that is left out', async () => {
  const bytes = readFileSync(await bundleFile());
  expect(bytes.length, TO_RAISE).toBeLessThanOrEqual(BUDGET.bundleBytes);
  expect(gzipSync(bytes, { level: 9 }).length, TO_RAISE).toBeLessThanOrEqual(BUDGET.gzippedBytes);
  expect(LEFT_OUT.filter((text) => bytes.includes(text))).toEqual([]);
});

test('it connects and returns without loading an unneeded built-in module, a needless call or a pending timer', async () => {
  const mistyped = plantEvent(`${TOKEN.slice(0, -1)}x`, bodyOf(1));
  const noPlant = plantEvent(TOKEN, '{"id":"1"}');
  const events = [create, create, mistyped, noPlant];
  const { statuses, lines, loaded, pending, calls } = await observe(events);
  expect(statuses).toEqual([200, 200, 400, 400]);
  // One lookup is that of INIT, which has no line in the log.
  expect(calls).toEqual({ GetItem: 2, PutItem: 2 });
  expect(loaded.filter((name) => FORBIDDEN.test(name))).toEqual([]);
  expect(loaded.length).toBeLessThanOrEqual(BUDGET.builtIns);
  expect(pending).not.toContain('Timeout');
  expect(lines).toHaveLength(4);
  const timestamp = new Date().toISOString();
  const printed = { timestamp, level: 'INFO', requestId: REQUEST_ID, message: lines[0] };
  expect(JSON.stringify(printed).length).toBeLessThanOrEqual(BUDGET.logBytes);
});

test('it has no code for an identity provider, which is also within its budgets where a stage has one', async () => {
  const file = bundleFile('IDENTITY_PROVIDER');
  const [without, bytes] = [readFileSync(await bundleFile()), readFileSync(await file)];
  for (const part of ['IDENTITY_PROVIDER', 'jwks_uri', 'openid-configuration', 'RS256'])
    expect([without.includes(part), bytes.includes(part)]).toEqual([false, true]);
  expect(bytes.length, TO_RAISE).toBeLessThanOrEqual(BUDGET.bundleBytes + 21_000);
  const provider = await startIdentityProvider(true);
  const token = await provider.grant();
  const variables = { IDENTITY_PROVIDER: JSON.stringify({ issuer: provider.issuer, audience: AUDIENCE }) };
  const event = plantEvent(token, bodyOf(1));
  const { statuses, lines, loaded, pending } = await observe([event], variables, file);
  provider.close();
  expect(statuses).toEqual([200]);
  expect(loaded.filter((name) => FORBIDDEN.test(name))).toEqual([]);
  expect(pending).not.toContain('Timeout');
  expect(lines).toMatchObject([{ outcome: 'created', token: 'shop' }]);
  expect(token.split('.').filter((part) => JSON.stringify(lines).includes(part))).toEqual([]);
});

// test/faults/matrix.test.ts has all faults of the store in INIT.
test('it starts and prints nothing although it has no credentials to call the store', async () => {
  const { lines, stderr } = await observe([], { AWS_ACCESS_KEY_ID: undefined, AWS_REGION: undefined });
  expect({ lines, stderr }).toEqual({ lines: [], stderr: '' });
});
