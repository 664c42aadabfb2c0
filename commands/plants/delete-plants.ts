import { createInterface } from 'node:readline/promises';
import { ConditionalCheckFailedException, DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { printError, printWhole } from '../../cli/print.ts';
import { failed } from '../../operate/shared/aws.ts';
import { keyOf } from '../shared/plant-key.ts';
import { isLineOf, type Listed } from './listed-plants.ts';
import { onlyIf } from './only-if.ts';
import { itemLine, itemValue } from './plant-line.ts';
import { findItem, noneOf, type Plants, sentence } from './plants-table.ts';

/**
 * Deletes plants. Each is printed as the table has it before it is deleted. One that is not the plant of its line, or no longer that which was
 * printed, is left, and its id is printed on standard error.
 * @param isSure whether not to ask
 * @returns whether none was left
 * @throws PlainError if there is none of them, they are not confirmed, or it is not known of all whether they are deleted
 */
export async function deletePlants(plants: Plants, listed: Listed, isSure: boolean): Promise<boolean> {
  const { table } = plants;
  const ids = [...listed.keys()];
  if (!isSure && !(await isConfirmed(plants, ids))) throw new PlainError('Nothing was deleted.');
  const done = { deleted: 0, absent: 0, different: 0 };
  const counts = () =>
    `Deleted from ${table}: ${done.deleted}. Not there: ${done.absent}.${done.different > 0 ? ` Different, and left: ${done.different}.` : ''}`;
  await withInterrupt('Interrupted.', async ({ signal }) => {
    for (const [id, line] of listed) done[await deletePlant(plants, { id, line }, signal)] += 1;
  }).catch((error) => {
    const rest = ids.length - done.deleted - done.absent - done.different;
    throw new PlainError(`${sentence(error)} ${counts()} May still be there: ${rest}.`);
  });
  if (done.absent === ids.length) throw noneOf(ids);
  printError(`${counts()}${done.deleted > 0 ? ' A client that retries creates it again.' : ''}`);
  if (plants.isDeployed && done.deleted > 0)
    printError('Copies remain in backups and logs: docs/import.md#what-remains-after-a-deletion');
  return done.different === 0;
}

/** Prints a plant, and then deletes it, if it is that of its line. */
async function deletePlant(
  plants: Plants,
  { id, line }: { id: string; line: string | undefined },
  signal: AbortSignal,
): Promise<'deleted' | 'absent' | 'different'> {
  const { client, table: TableName } = plants;
  const before = await findItem(plants, id);
  if (!before) return 'absent';
  if (line !== undefined && !isLineOf(line, itemValue(before))) {
    printError(`The plant ${id} is not that of its line, and was left.`);
    return 'different';
  }
  await printWhole(`${itemLine(before)}\n`);
  signal.throwIfAborted();
  const removal = { TableName, Key: keyOf(id), ...onlyIf(before), ReturnValues: 'ALL_OLD' } as const;
  const { Attributes: removed } = await client.send(new DeleteItemCommand(removal)).catch((error) => {
    if (error instanceof ConditionalCheckFailedException) return { Attributes: undefined };
    return failed(`the plant ${id} may still be there`)(error);
  });
  if (removed) return 'deleted';
  const after = await findItem(plants, id);
  // It is gone, as by an attempt whose response was lost.
  if (!after) return 'deleted';
  if (itemLine(after) === itemLine(before))
    throw new PlainError(`The plant ${id} is still there, or there again.`);
  printError(`The plant ${id} has changed meanwhile, and was left.`);
  return 'different';
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
