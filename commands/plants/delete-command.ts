import { createInterface } from 'node:readline/promises';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { jsonOutput, printError } from '../../cli/print.ts';
import { progressBar } from '../../cli/progress.ts';
import { failed } from '../shared/aws.ts';
import { sentence } from './export-command.ts';
import { eachId } from './export-plants.ts';
import { itemLine } from './plant-line.ts';
import { findItem, itemWithId, keyOf, noneOf, type Plants } from './plants-table.ts';

type Output = ReturnType<typeof jsonOutput>;

/**
 * Deletes plants. Each is printed as the table has it before it is deleted.
 * @param options.isSure whether not to ask
 * @throws PlainError if there is none of them, they are not confirmed, or not all are deleted
 */
export async function deleteCommand(
  plants: Plants,
  ids: readonly string[],
  { parallel, isSure }: { parallel: number; isSure: boolean },
): Promise<void> {
  const { table } = plants;
  if (!isSure && !(await isConfirmed(plants, ids))) throw new PlainError('Nothing was deleted.');
  const output = jsonOutput();
  const done = { deleted: 0, absent: 0 };
  const bar = progressBar(ids.length);
  try {
    await withInterrupt('Interrupted.', (stop) =>
      eachId(ids, parallel, stop, async (id) => {
        if (await deleted(plants, id, output, stop.signal)) done.deleted += 1;
        else done.absent += 1;
        bar(done.deleted + done.absent);
      }),
    ).finally(bar);
    output.close();
  } catch (error) {
    const rest = ids.length - done.deleted - done.absent;
    throw new PlainError(
      `${sentence(error, plants)} Deleted from ${table}: ${done.deleted}. Not there: ${done.absent}. May still be there: ${rest}.`,
    );
  }
  if (done.deleted === 0) throw noneOf(plants, ids);
  printError(
    `Deleted from ${table}: ${done.deleted}. Not there: ${done.absent}. A client that retries creates it again.`,
  );
  if (plants.isDeployed)
    printError('Copies remain in backups and logs: docs/import.md#what-remains-after-a-deletion');
}

/** Prints a plant, and then deletes it. @returns false if it was not there */
async function deleted(plants: Plants, id: string, output: Output, signal: AbortSignal): Promise<boolean> {
  const { client, table, where } = plants;
  const before = await findItem(plants, id);
  if (!before) return false;
  await output.append(`${itemLine(before).line}\n`);
  signal.throwIfAborted();
  const removed = await client
    .send(new DeleteItemCommand({ TableName: table, Key: keyOf(id), ReturnValues: 'ALL_OLD' }))
    .then(({ Attributes: item }) => itemWithId(item, id))
    .catch(failed(`${where}: the plant ${id} may still be there`));
  // It was gone, as by an attempt whose response was lost. Only a second look shows that.
  if (!removed && (await findItem(plants, id)))
    throw new PlainError(`${where}: the plant ${id} is still there, or there again.`);
  // Stored again meanwhile.
  if (removed && itemLine(removed).line !== itemLine(before).line)
    await output.append(`${itemLine(removed).line}\n`);
  return true;
}

/** Shows what would be deleted, and asks. @returns false for Ctrl-C and Ctrl-D too, which reject the question */
async function isConfirmed(plants: Plants, ids: readonly string[]): Promise<boolean> {
  const { where, table } = plants;
  const [id = ''] = ids;
  const isOne = ids.length === 1;
  const item = isOne ? await findItem(plants, id) : undefined;
  if (isOne && !item) throw noneOf(plants, ids);
  printError(`${where}, table ${table}:\n${item ? itemLine(item).line : `${ids.length} ids`}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const question = isOne ? 'Delete it? Type its id: ' : 'Delete these plants? Type their number: ';
  const typed = await terminal.question(question).catch(() => '');
  terminal.close();
  return typed.trim() === (isOne ? id : String(ids.length));
}
