import { once, setMaxListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import type { NewPlant } from '../../lambda/plant.ts';
import type { InputRecord } from './record.ts';
import { runImport } from './run.ts';

async function* recordsOf(count: number, bytes = 10): AsyncGenerator<InputRecord> {
  for (let line = 1; line <= count; line += 1) {
    const content = { plant: { id: BigInt(line), ...LEAST } as NewPlant };
    yield { line, end: { offset: line * bytes, line: line + 1 }, bytes, content };
  }
}

/** Starts an import in which each plant is sent until it gets a response. */
function start(records: AsyncIterable<InputRecord>, parallel = 256) {
  const responses = new Map<bigint, () => void>();
  const committed: number[] = [];
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const done = runImport({
    records,
    send: async ({ id }) => {
      const response = new Promise<void>((resolve) => responses.set(id, resolve));
      await Promise.race([response, once(stop.signal, 'abort').then(() => stop.signal.throwIfAborted())]);
      return undefined;
    },
    commit: ({ line }) => committed.push(line),
    parallel,
    stop,
  });
  return { responses, committed, stop, done };
}

const someTurns = async () => {
  for (let count = 0; count < 50; count += 1) await turn();
};

test('records are committed in the order of the input, in whatever order requests finish', async () => {
  const { responses, committed, done } = start(recordsOf(3));
  await someTurns();
  const counts = [];
  for (const id of [3n, 1n, 2n]) {
    responses.get(id)?.();
    await someTurns();
    counts.push(committed.length);
  }
  expect([counts, committed]).toEqual([
    [0, 1, 3],
    [1, 2, 3],
  ]);
  await done;
});

test('no more requests are in flight than allowed, although the first has no response', async () => {
  const { responses, done, stop } = start(recordsOf(9), 2);
  await someTurns();
  responses.get(2n)?.();
  await someTurns();
  expect([...responses.keys()]).toEqual([1n, 2n, 3n]);
  stop.abort(new Error('enough'));
  await expect(done).rejects.toThrow('enough');
});

test.each([
  [10_000, 10, 500],
  // Four records fill 4 MiB.
  [100, 2 ** 20, 4],
])('of %i records with %i bytes, %i are ahead of the first unfinished one', async (count, bytes, ahead) => {
  const { responses, done, stop } = start(recordsOf(count, bytes));
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await someTurns();
    for (const [id, respond] of responses) if (id !== 1n) respond();
  }
  expect(responses.size).toBe(ahead);
  responses.get(1n)?.();
  await someTurns();
  expect(responses.size).toBeGreaterThan(ahead);
  stop.abort(new Error('enough'));
  await expect(done).rejects.toThrow('enough');
});

test('the records before an error of the input are finished first', async () => {
  async function* broken() {
    yield* recordsOf(2);
    throw new Error('a quote out of place');
  }
  const { responses, committed, done } = start(broken());
  await someTurns();
  for (const response of responses.values()) response();
  await expect(done).rejects.toThrow('a quote out of place');
  expect(committed).toEqual([1, 2]);
});
