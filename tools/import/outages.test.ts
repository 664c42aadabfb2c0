/** How an import behaves when its service fails for a time; on a clock that the test moves. */

import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import type { NewPlant } from '../../lambda/plant.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { someOf } from '../../test/support/exhaustive.ts';
import { Pace } from './pace.ts';
import type { InputRecord } from './record.ts';
import { runImport } from './run.ts';
import { plantSender } from './sender.ts';

const MOST = 32;
const STEP_MS = 5;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], now: 0 }));
afterEach(() => void vi.useRealTimers());

async function* plants(count: number): AsyncGenerator<InputRecord> {
  for (let line = 1; line <= count; line += 1) {
    const content = { plant: { id: BigInt(line), ...LEAST } as NewPlant };
    yield { line, end: { offset: line, line: line + 1 }, bytes: 1, content };
  }
}

/** What the service saw of a request: the milliseconds from the start, and how many were in flight with it. */
interface Seen {
  readonly id: number;
  readonly at: number;
  readonly inFlight: number;
  readonly isStored: boolean;
}

interface Trial {
  /** How many plants there are, or the plants; without end if neither is given. */
  readonly count?: number;
  readonly records?: AsyncIterable<InputRecord>;
  /** When the import is interrupted, in milliseconds. */
  readonly untilMs?: number;
  /** How long each response takes, in milliseconds. */
  readonly latencyMs?: number;
  /** The Error number for a request at a time, in milliseconds; undefined, as without this, if the plant is stored. */
  readonly response?: (at: number, requests: number) => number | false | undefined | 'hang';
}

/** Imports plants into a service. @returns what the service saw, and the milliseconds until the end */
async function run({
  count = Infinity,
  records = plants(count),
  untilMs = Infinity,
  latencyMs = 20,
  response = () => undefined,
}: Trial) {
  const start = performance.now();
  const seen: Seen[] = [];
  let inFlight = 0;
  const fetch: typeof globalThis.fetch = async (_, { body } = {}) => {
    const at = performance.now() - start;
    inFlight += 1;
    const error = response(at, seen.length + 1);
    seen.push({ id: JSON.parse(String(body)).id, at, inFlight, isStored: !error });
    if (error === 'hang') return new Promise<never>(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    inFlight -= 1;
    const headers = { 'content-type': 'application/json', 'x-request-id': 'id' };
    return error
      ? new Response(`{"error":${error},"message":"Later."}`, { status: 400, headers })
      : new Response(JSON.stringify(LEAST), { headers });
  };
  const stop = new AbortController();
  const send = plantSender({ url: 'http://127.0.0.1:9', token: 'token' }, new Pace(MOST), stop.signal, fetch);
  const parts = { records, send, commit: () => undefined, stop };
  let end: { error?: unknown } | undefined;
  void runImport(parts).then(
    () => (end = {}),
    (error: unknown) => (end = { error }),
  );
  while (!end) {
    if (inFlight > 0) vi.advanceTimersByTime(STEP_MS);
    else vi.advanceTimersToNextTimer();
    if (performance.now() - start >= untilMs) stop.abort(new Error('The time of the trial is over.'));
    for (let turns = 0; turns < 3; turns += 1) await turn();
  }
  return { seen, error: end.error, ms: performance.now() - start };
}

describe.each(someOf([20, 100], 'latencies of an import'))('responses that take %i ms', (latencyMs) => {
  test('a service that fails for three of every six seconds takes less than twice the least time', async () => {
    const count = 3_000;
    const good = await run({ count, latencyMs });
    const flapping = await run({ count, latencyMs, response: (at) => at % 6_000 >= 3_000 && 50301 });
    const outages = Math.floor((good.ms - 1) / 3_000);
    expect(flapping.error).toBeUndefined();
    expect(flapping.ms).toBeLessThan(2 * (good.ms + outages * 3_000));
  });

  test.each(someOf([20_000, 21_000], 'outages of an import'))(
    'an outage of %i ms gets at most 100 requests, and three seconds later all are in flight',
    async (outageMs) => {
      const end = 1_000 + outageMs;
      const response = (at: number) => at >= 1_000 && at < end && 50301;
      const { seen } = await run({ latencyMs, untilMs: end + 3_500, response });
      const refused = seen.filter(({ isStored }) => !isStored).length;
      expect(refused).toBeGreaterThan(0);
      expect(refused).toBeLessThanOrEqual(100);
      const all = seen.find(({ at, inFlight }) => at >= end && inFlight === MOST);
      expect(all?.at).toBeLessThanOrEqual(end + 3_000);
    },
  );
});

test.each([
  [42901, 1, 16],
  [50301, 5, 16],
  [50401, 1, 32],
])('after a round with the response %i, %i times, %i requests are in flight', async (error, times, most) => {
  const { seen } = await run({ untilMs: 1_100, response: (_, n) => n >= 400 && n < 400 + times && error });
  // The limit is halved, and each round of responses adds one; the response comes after the requests of the next round.
  const inFlight = Math.max(...seen.slice(440, 480).map((each) => each.inFlight));
  expect(Math.abs(inFlight - most)).toBeLessThanOrEqual(2);
});

test('each response allows three more requests, up to the most', async () => {
  const { seen } = await run({ count: 200 });
  const inFlight = seen.map((each) => each.inFlight);
  expect([inFlight[0], inFlight[4], inFlight[20], Math.max(...inFlight)]).toEqual([1, 4, 16, MOST]);
});

test('a plant is repeated when its time comes, before plants that are new', async () => {
  const { seen } = await run({ latencyMs: 200, untilMs: 4_000, response: (_, n) => n === 1 && 50301 });
  const [first = 0, repeated = 0] = seen.filter(({ id }) => id === 1).map(({ at }) => at);
  expect(repeated - first).toBeGreaterThanOrEqual(2_200);
  expect(repeated - first).toBeLessThan(2_500);
});

test('after eight failures in a row one request asks, whose response brings the limit back', async () => {
  const { seen } = await run({ untilMs: 5_000, response: (at) => at >= 1_000 && at < 1_050 && 50401 });
  const probe = seen.findIndex(({ at }) => at > 1_500);
  const after = seen.slice(probe, probe + 1 + MOST).map((each) => each.inFlight);
  expect([after[0], Math.max(...after)]).toEqual([1, MOST]);
  expect((await run({ untilMs: 900, response: () => 50401 })).seen.length).toBe(8);
});

test('during an outage no request comes earlier than Retry-After says', async () => {
  const { seen } = await run({ untilMs: 20_000, response: (at) => at >= 1_000 && 50301 });
  const probes = seen.filter(({ at }) => at > 1_100).map(({ at }) => at);
  expect(probes.length).toBeGreaterThan(5);
  for (const [index, at] of probes.slice(1).entries())
    expect(at - (probes[index] ?? 0)).toBeGreaterThanOrEqual(2_000);
});

test('if every second response is 50301, 300 plants take less than 30 seconds', async () => {
  const { ms, error } = await run({ count: 300, response: (_, n) => n % 2 === 1 && 50301 });
  expect([ms < 30_000, error]).toEqual([true, undefined]);
});

test('requests are repeated until all have failed for a minute', async () => {
  const { ms, error } = await run({ response: (at) => at >= 5_000 && 50301 });
  expect(error).toEqual(new PlainError('http://127.0.0.1:9 returns 50301: Later.'));
  expect([ms > 60_000, ms < 66_000]).toEqual([true, true]);
});

test('a first request without a response in ten seconds stops the import', async () => {
  const { ms, error, seen } = await run({ response: () => 'hang' });
  expect(error).toEqual(new PlainError('http://127.0.0.1:9 cannot be reached (no response in time).'));
  expect([Math.round(ms / 1_000), seen.length]).toEqual([10, 1]);
});

test('an input that gives no record for five minutes does not make a failure the last', async () => {
  async function* slow(): AsyncGenerator<InputRecord> {
    yield* plants(1);
    await new Promise((resolve) => setTimeout(resolve, 300_000));
    yield* plants(1);
  }
  const { error, seen } = await run({ records: slow(), response: (_, n) => n === 2 && 50301 });
  expect([error, seen.length]).toEqual([undefined, 3]);
});
