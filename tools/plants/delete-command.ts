import { createInterface } from 'node:readline/promises';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { explain, failed } from '../../operate/deployed/aws.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { printError, printWhole } from '../../terminal/print.ts';
import { type Item, plantLine } from './plant-line.ts';
import { findItem, itemWithId, keyOf, type Plants, readPlant } from './plants-table.ts';

/**
 * Deletes a plant, and prints it as the table had it.
 * @param isSure whether not to ask
 * @throws PlainError if there is no such plant, it is not confirmed, or it may still be there
 */
export async function deleteCommand(plants: Plants, id: string, isSure: boolean): Promise<void> {
  const { client, table, where } = plants;
  const before = await readPlant(plants, id);
  if (!isSure) {
    printError(`${where}, table ${table}:\n${shown(before)}`);
    if (!(await isConfirmed(id))) throw new PlainError('Nothing was deleted.');
  }
  const removed = await client
    .send(new DeleteItemCommand({ TableName: table, Key: keyOf(id), ReturnValues: 'ALL_OLD' }))
    .then(({ Attributes: item }) => itemWithId(item, id))
    .catch(failed(`${where}: the plant ${id} may still be there`));
  if (!removed) throw await notRemoved(plants, id, before);
  await printRemoved(shown(removed), table);
}

/** Why a deletion did not return the plant. */
async function notRemoved(plants: Plants, id: string, before: Item): Promise<PlainError> {
  const { where } = plants;
  const now = await findItem(plants, id, 'may still be there');
  return new PlainError(
    now
      ? `${where}: the plant ${id} is there: it was not deleted, or was stored again meanwhile. It is: ${shown(now)}`
      : `${where}: the plant ${id} is gone, but not by this attempt. An earlier attempt whose response was lost, or another ` +
          `command, has removed it. Before, it was: ${shown(before)}`,
  );
}

async function printRemoved(line: string, table: string): Promise<void> {
  await printWhole(`${line}\n`).catch((error) => {
    throw new PlainError(
      `The plant is deleted from ${table}, but not printed: ${explain(error)} It was: ${line}`,
    );
  });
  printError(
    `Deleted from ${table}. A client that retries creates it again. Copies remain in backups and logs: docs/import.md#what-remains-after-a-deletion`,
  );
}

function shown(item: Item): string {
  return plantLine(item) ?? JSON.stringify(item);
}

/** @returns false for Ctrl-C and Ctrl-D too, which reject the question */
async function isConfirmed(id: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await terminal.question('Delete it? Type its id: ').catch(() => '');
  terminal.close();
  return typed.trim() === id;
}
