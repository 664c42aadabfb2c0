import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { InputRecord } from '../../../tools/import/record.ts';
import { runImport } from '../../../tools/import/run.ts';

function record(line: number): InputRecord {
  return {
    line,
    end: { offset: line * 10, line: line + 1 },
    content: { plant: { id: BigInt(line), name: 'Fern' } },
  };
}

test('records are committed in the order of the input, in whatever order requests finish', async () => {
  const answers = new Map<bigint, () => void>();
  const committed: number[] = [];
  async function* batches() {
    yield [1, 2, 3].map(record);
  }
  const done = runImport({
    batches: batches(),
    send: ({ id }) => new Promise((resolve) => answers.set(id, () => resolve(undefined))),
    commit: ({ line }) => committed.push(line),
    stop: new AbortController(),
  });
  for (const [id, expected] of [
    [3n, []],
    [1n, [1]],
    [2n, [1, 2, 3]],
  ] as const) {
    while (!answers.has(id)) await turn();
    answers.get(id)?.();
    await turn();
    expect(committed).toEqual(expected);
  }
  await done;
});

test('an error that comes before the end of the input is thrown after it, and nothing more is committed', async () => {
  const stop = new AbortController();
  const committed: number[] = [];
  async function* batches() {
    yield [record(1), record(2)];
    while (!stop.signal.aborted) await turn();
    await turn();
  }
  const sending = runImport({
    batches: batches(),
    send: async ({ id }) => {
      if (id === 2n) throw new Error('refused');
      await turn();
      return undefined;
    },
    commit: ({ line }) => committed.push(line),
    stop,
  });
  await expect(sending).rejects.toThrow('refused');
  expect(committed).toEqual([]);
});
