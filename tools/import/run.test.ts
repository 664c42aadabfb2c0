import { once, setMaxListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import type { NewPlant } from '../../lambda/plant.ts';
import type { InputRecord } from './record.ts';
import { type ImportParts, runImport } from './run.ts';

async function* recordsOf(count: number, bytes = 10): AsyncGenerator<InputRecord> {
  for (let line = 1; line <= count; line += 1) {
    const content = { plant: { id: BigInt(line), ...LEAST } as NewPlant };
    yield { line, end: { offset: line * bytes, line: line + 1 }, bytes, content };
  }
}

/** Starts an import in which each plant is sent until it gets a response. @param parts in place of others */
function start(records: AsyncIterable<InputRecord>, parts: Partial<ImportParts> = {}) {
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
    stop,
    ...parts,
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

test.each([
  [10_000, 10, 500],
  // Four records fill 4 MiB.
  [100, 2 ** 20, 4],
])('of %i records with %i bytes, %i are ahead of the first unfinished one', async (count, bytes, ahead) => {
  const { responses, done, stop } = start(recordsOf(count, bytes));
  await someTurns();
  expect(responses.size).toBe(ahead);
  responses.get(1n)?.();
  await someTurns();
  expect(responses.size).toBe(ahead + 1);
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

test('an error when a record is committed, such as a full disk, ends the import', async () => {
  const full = new Error('The disk is full.');
  const commit = vi.fn(() => {
    throw full;
  });
  const { stop, done } = start(recordsOf(1_000), { send: async () => undefined, commit });
  await expect(done).rejects.toBe(full);
  await someTurns();
  expect([commit.mock.calls.length, stop.signal.reason]).toEqual([1, full]);
});
