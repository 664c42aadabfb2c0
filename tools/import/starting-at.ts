import { PlainError } from '../../infra/plain-error.ts';
import type { InputRecord } from './record.ts';

/**
 * Leaves out the records before a line.
 * @param fromLine all records if undefined
 * @throws PlainError if the line is inside a record, or no record begins there or later
 */
export async function* startingAt(
  records: AsyncIterable<InputRecord>,
  fromLine: number | undefined,
): AsyncGenerator<InputRecord> {
  let isFound = fromLine === undefined;
  for await (const record of records) {
    if (fromLine === undefined || record.line >= fromLine) {
      isFound = true;
      yield record;
    } else if (record.end.line > fromLine) {
      throw new PlainError(
        `Line ${fromLine} is inside the record of lines ${record.line} to ${record.end.line - 1}.`,
      );
    }
  }
  if (!isFound) throw new PlainError(`No record begins in line ${fromLine} or later.`);
}
