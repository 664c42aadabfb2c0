import type { NewPlant } from '../../lambda/request/plant.ts';
import type { InputRecord, Refusal } from './record.ts';

/** The most records that are read ahead of the first unfinished one. This limits the memory, and what is sent twice. */
const AHEAD = { records: 1_000, bytes: 4 * 2 ** 20 };

/** The parts of an import. */
export interface ImportParts {
  /** The records of the input, in order. */
  readonly batches: AsyncIterable<readonly InputRecord[]>;
  /** Sends a plant. @returns why it was refused, or undefined if it is stored */
  readonly send: (plant: NewPlant) => Promise<Refusal | undefined>;
  /** Called for each record in the order of the input, when it and all before it are finished. */
  readonly commit: (record: InputRecord, refusal: Refusal | undefined) => void;
  /** Stops the import. Any error that does not concern a single line aborts it. */
  readonly stop: AbortController;
}

interface Entry {
  readonly record: InputRecord;
  /** undefined while the plant is being sent. */
  result?: { readonly refusal: Refusal | undefined };
}

/**
 * Sends all records. Requests may finish in any order; records are committed in the order of the input.
 * @throws the first error that does not concern a single line, or the reason of the abort, once no request is in flight
 */
export async function runImport({ batches, send, commit, stop }: ImportParts): Promise<void> {
  const queue: Entry[] = [];
  const inFlight = new Set<Promise<void>>();
  let change = Promise.withResolvers<void>();
  const changed = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const finish = (entry: Entry, refusal: Refusal | undefined) => {
    if (stop.signal.aborted) return;
    entry.result = { refusal };
    for (let first = queue[0]; first?.result; first = queue[0]) {
      commit(first.record, first.result.refusal);
      queue.shift();
    }
  };
  const start = (entry: Entry, plant: NewPlant) => {
    const sending = send(plant)
      .then((refusal) => finish(entry, refusal))
      .catch((error: unknown) => stop.abort(error))
      .finally(() => {
        inFlight.delete(sending);
        changed();
      });
    inFlight.add(sending);
  };
  const waitUntil = async (isTrue: () => boolean) => {
    while (!isTrue()) {
      // After an abort nothing changes any more.
      stop.signal.throwIfAborted();
      await change.promise;
    }
  };
  try {
    for await (const batch of batches) {
      for (const record of batch) {
        await waitUntil(() => hasRoom(queue, record));
        const entry: Entry = { record };
        queue.push(entry);
        if ('plant' in record.content) start(entry, record.content.plant);
        else finish(entry, record.content.refusal);
      }
      stop.signal.throwIfAborted();
    }
    await waitUntil(() => queue.length === 0);
  } catch (error) {
    stop.abort(error);
    await Promise.all(inFlight);
    throw stop.signal.reason;
  }
}

function hasRoom(queue: readonly Entry[], { end }: InputRecord): boolean {
  const first = queue[0]?.record.end ?? end;
  return queue.length < AHEAD.records && end.offset - first.offset < AHEAD.bytes;
}
