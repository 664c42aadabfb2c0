import type { InputRecord } from './record.ts';

/** While the records in work are longer than this together, no more are read. */
const LARGE = 2 ** 22;

/**
 * Does something with each record, with some at the same time, but with large ones only with a few: they would fill the memory.
 * @throws the first error, which stops the others, or the reason of the abort
 */
export async function inParallel(
  most: number,
  stop: AbortController,
  records: AsyncIterable<InputRecord>,
  step: (record: InputRecord) => Promise<void>,
): Promise<void> {
  let [inWork, size] = [0, 0];
  let onFinished = () => {};
  const work = async (record: InputRecord) => {
    inWork += 1;
    size += record.size;
    await step(record).catch((error) => stop.abort(error));
    inWork -= 1;
    size -= record.size;
    onFinished();
  };
  const oneFinishes = () =>
    new Promise<void>((resolve) => {
      onFinished = resolve;
    });
  try {
    for await (const record of records) {
      void work(record);
      while (inWork >= most || size > LARGE) await oneFinishes();
    }
  } catch (error) {
    stop.abort(error);
  }
  while (inWork > 0) await oneFinishes();
  stop.signal.throwIfAborted();
}
