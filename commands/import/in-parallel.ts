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
  const inWork = new Set<Promise<void>>();
  let size = 0;
  let finished = Promise.withResolvers<void>();
  try {
    for await (const record of records) {
      const work = step(record)
        .catch((error) => stop.abort(error))
        .finally(() => {
          size -= record.size;
          inWork.delete(work);
          finished.resolve();
        });
      size += record.size;
      inWork.add(work);
      while (inWork.size >= most || size > LARGE) {
        finished = Promise.withResolvers();
        await finished.promise;
      }
    }
  } catch (error) {
    stop.abort(error);
  }
  await Promise.all(inWork);
  stop.signal.throwIfAborted();
}
