import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { formatToken } from '../../lambda/tokens/token-format.ts';
import { bundleFile } from '../support/function-under-test.ts';
import { plantEvent } from '../support/test-service.ts';
import { BUDGET, FORBIDDEN, observe, TO_RAISE } from './observe.ts';

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
  expect(calls).toMatchObject({ GetItem: 2, PutItem: 2 });
  expect(loaded.filter((name) => FORBIDDEN.test(name))).toEqual([]);
  expect(loaded.length).toBeLessThanOrEqual(BUDGET.builtIns);
  expect(pending).not.toContain('Timeout');
  expect(lines).toHaveLength(4);
  const timestamp = new Date().toISOString();
  const printed = { timestamp, level: 'INFO', requestId: REQUEST_ID, message: lines[0] };
  expect(JSON.stringify(printed).length).toBeLessThanOrEqual(BUDGET.logBytes);
});

test('a plain bundle has all of the SDK, and calls the store only for a request', async () => {
  const bundle = bundleFile([], true);
  const bytes = readFileSync(await bundle);
  expect(LEFT_OUT.filter((text) => !bytes.includes(text))).toEqual([]);
  const { statuses, lines, calls } = await observe([create], {}, { bundle, isPlain: true });
  expect({ statuses, calls }).toMatchObject({ statuses: [200], calls: { GetItem: 1, PutItem: 1 } });
  expect(lines).toMatchObject([{ outcome: 'created', coldStart: true }]);
});

// test/faults/matrix.test.ts has all faults of the store in INIT.
test('it starts and prints nothing although it has no credentials to call the store', async () => {
  const { lines, stderr } = await observe([], { AWS_ACCESS_KEY_ID: undefined, AWS_REGION: undefined });
  expect({ lines, stderr }).toEqual({ lines: [], stderr: '' });
});
