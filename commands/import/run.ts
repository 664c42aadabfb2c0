import { Readable } from 'node:stream';
import type { NewPlant } from '../../lambda/plant.ts';
import type { InputRecord, Refusal } from './record.ts';

/** How far the import reads ahead of the first unfinished record. This limits the memory, and what is sent twice. */
const AHEAD = { records: 500, bytes: 4 * 2 ** 20 };

/** The parts of an import. */
export interface ImportParts {
  /** The records of the input, in order. */
  readonly records: AsyncIterable<InputRecord>;
  /** Sends a plant. @returns why it was refused, or undefined if it is stored */
  readonly send: (plant: NewPlant) => Promise<Refusal | undefined>;
  /** Called for each record in the order of the input, when it and all before it are finished. */
  readonly commit: (record: InputRecord, refusal: Refusal | undefined) => void;
  /** The most plants that are sent at the same time. */
  readonly parallel: number;
  /** Stops the import. Any error that does not concern a single line aborts it. */
  readonly stop: AbortController;
}

/**
 * Sends all records. Requests may finish in any order; records are committed in the order of the input.
 * @throws the first error that does not concern a single line, or the reason of the abort
 */
export async function runImport({ records, send, commit, parallel, stop }: ImportParts): Promise<void> {
  let bytesAhead = 0;
  let committed = Promise.withResolvers<void>();

  async function* withinReach(): AsyncGenerator<InputRecord> {
    for await (const record of records) {
      while (bytesAhead >= AHEAD.bytes) await committed.promise;
      bytesAhead += record.bytes;
      yield record;
    }
  }

  async function finish(record: InputRecord) {
    const { content } = record;
    try {
      return { record, refusal: 'plant' in content ? await send(content.plant) : content.refusal };
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  }

  try {
    // Both together are how many records are ahead (Node's `map` in operators.js).
    const options = {
      concurrency: parallel,
      highWaterMark: Math.max(0, AHEAD.records - parallel),
      signal: stop.signal,
    };
    for await (const { record, refusal } of Readable.from(withinReach()).map(finish, options)) {
      commit(record, refusal);
      bytesAhead -= record.bytes;
      committed.resolve();
      committed = Promise.withResolvers();
    }
  } catch (error) {
    stop.abort(error);
    throw stop.signal.reason;
  }
}
