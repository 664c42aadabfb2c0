import { createInterface } from 'node:readline/promises';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { printError, printWhole } from '../../cli/print.ts';
import { failed } from '../../operate/shared/aws.ts';
import { keyOf } from '../shared/plant-key.ts';
import { itemLine } from './plant-line.ts';
import { findItem, noneOf, type Plants, sentence } from './plants-table.ts';

/**
 * Deletes plants. Each is printed as the table has it before it is deleted.
 * @param isSure whether not to ask
 * @throws PlainError if there is none of them, they are not confirmed, or not all are deleted
 */
export async function deletePlants(plants: Plants, ids: readonly string[], isSure: boolean): Promise<void> {
  const { table } = plants;
  if (!isSure && !(await isConfirmed(plants, ids))) throw new PlainError('Nothing was deleted.');
  const done = { deleted: 0, absent: 0 };
  const counts = () => `Deleted from ${table}: ${done.deleted}. Not there: ${done.absent}.`;
  await withInterrupt('Interrupted.', async ({ signal }) => {
    for (const id of ids) {
      if (await isDeleted(plants, id, signal)) done.deleted += 1;
      else done.absent += 1;
    }
  }).catch((error) => {
    const rest = ids.length - done.deleted - done.absent;
    throw new PlainError(`${sentence(error)} ${counts()} May still be there: ${rest}.`);
  });
  if (done.deleted === 0) throw noneOf(ids);
  printError(`${counts()} A client that retries creates it again.`);
  if (plants.isDeployed)
    printError('Copies remain in backups and logs: docs/import.md#what-remains-after-a-deletion');
}

/** Prints a plant, and then deletes it. @returns false if it was not there */
async function isDeleted(plants: Plants, id: string, signal: AbortSignal): Promise<boolean> {
  const { client, table: TableName } = plants;
  const before = await findItem(plants, id);
  if (!before) return false;
  await printWhole(`${itemLine(before)}\n`);
  signal.throwIfAborted();
  const { Attributes: removed } = await client
    .send(new DeleteItemCommand({ TableName, Key: keyOf(id), ReturnValues: 'ALL_OLD' }))
    .catch(failed(`the plant ${id} may still be there`));
  // It was gone, as by an attempt whose response was lost. Only a second look shows that.
  if (!removed && (await findItem(plants, id)))
    throw new PlainError(`The plant ${id} is still there, or there again.`);
  // Stored again meanwhile.
  if (removed && itemLine(removed) !== itemLine(before)) await printWhole(`${itemLine(removed)}\n`);
  return true;
}

/** Shows what would be deleted, and asks. @returns false for Ctrl-C and Ctrl-D too, which reject the question */
async function isConfirmed(plants: Plants, ids: readonly string[]): Promise<boolean> {
  const { where, table } = plants;
  const [id = ''] = ids;
  const isOne = ids.length === 1;
  const item = isOne ? await findItem(plants, id) : undefined;
  if (isOne && !item) throw noneOf(ids);
  printError(`${where}, table ${table}:\n${item ? itemLine(item) : `${ids.length} ids`}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const question = isOne ? 'Delete it? Type its id: ' : 'Delete these plants? Type their number: ';
  const typed = await terminal.question(question).catch(() => '');
  terminal.close();
  return typed.trim() === (isOne ? id : String(ids.length));
}
