import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { formatToken } from '../../lambda/request/token-format.ts';
import type { Act } from '../support/acts.ts';
import { bundleFile, observeProcess } from '../support/function-under-test.ts';
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
/** Serves requests in a separate process over a scripted store. */
async function serve(events: object[], getItem?: Act[]) {
  const store = await ScriptedStore.start({ script: getItem ? { GetItem: getItem } : {} });
  const observed = await observeProcess(store.endpoint, events);
  await store.close();
  return { calls: store.attempts, ...observed };
}

const create = plantEvent(TOKEN, '{"id":9223372036854775807,"name":"Fern","tag":"shade"}', {
  requestContext: { requestId: '01234567-89ab-cdef-0123-456789abcdef' } as never,
});

describe('the bundle stays within its budgets', () => {
  test('its size, plain and gzipped', () => {
    const bytes = readFileSync(bundleFile());
    expect(bytes.length).toBeLessThanOrEqual(BUDGET.bundleBytes);
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(BUDGET.gzippedBytes);
  });

  test('its first answer loads no unneeded built-in module, reads no file, and leaves nothing pending', async () => {
    const { statuses, loaded, filesRead, pending } = await serve([create]);
    expect(statuses).toEqual([200]);
    const unwanted = (name: string) =>
      FORBIDDEN.some((word) => new RegExp(`(^NativeModule |/)${word}(/|$)`).test(name));
    expect(loaded.filter(unwanted)).toEqual([]);
    expect(loaded.length).toBeLessThanOrEqual(BUDGET.builtIns);
    expect(filesRead.filter((name) => name !== bundleFile())).toEqual([]);
    expect(pending.filter((name) => name === 'Timeout')).toEqual([]);
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
    expect(lines[0]?.length).toBeLessThanOrEqual(BUDGET.logBytes);
  });
});
