import { createInterface } from 'node:readline/promises';
import { DeleteItemCommand, GetItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { printError, printWhole } from '../../cli/print.ts';
import { progressBar } from '../../cli/progress.ts';
import { explain, failed } from '../shared/aws.ts';
import { Speed } from '../shared/speed.ts';
import { pageItems } from '../shared/store-responses.ts';
import { type Item, itemLine } from './plant-line.ts';
import { keyOf, type Plants } from './plants-table.ts';

/** The most items of a page. DynamoDB's 1 MB of small plants would be tens of thousands, which take ten times that memory. */
const MOST_ITEMS = 2_000;

/**
 * Prints plants in no particular order, page by page, and says on standard error how many they were.
 * @param ids of the plants; undefined for all
 * @throws PlainError if the export stopped early, or there is none of the plants
 */
export async function exportPlants(plants: Plants, ids: readonly string[] | undefined): Promise<void> {
  const done = { plants: 0, others: 0, firstOther: '', absent: 0 };
  const bar = progressBar(ids?.length, { prints: true });
  const speed = new Speed();
  const write = async (items: readonly Item[]) => {
    const lines = items.map((item) => {
      const { line, isPlant } = itemLine(item);
      if (!isPlant) {
        done.firstOther ||= item.id?.N ?? 'unknown';
        done.others += 1;
      }
      return `${line}\n`;
    });
    await printWhole(lines.join(''));
    done.plants += lines.length;
    bar(done.plants, `plants, ${speed.words(done.plants, done.plants, ids?.length)}`);
  };
  await withInterrupt('The export was interrupted.', async ({ signal }) => {
    for await (const items of ids ? itemsOf(plants, ids) : pagesOf(plants)) {
      signal.throwIfAborted();
      done.absent += ids && items.length === 0 ? 1 : 0;
      await write(items);
    }
  })
    .catch((error) => {
      throw new PlainError(
        `${explain(error).replace(/[^.]$/, '$&.')} The output is not whole: it has ${done.plants} plants.`,
      );
    })
    .finally(bar);
  if (ids && done.plants === 0) throw noneOf(ids);
  const moving = ids ? '' : ' Those stored or deleted during the export may or may not be included.';
  printError(`Plants: ${done.plants}.${moving}`);
  if (done.absent > 0) printError(`Not there: ${done.absent}.`);
  if (done.others > 0)
    printError(
      `An import would refuse ${done.others}, which are no plants of this version: the first is ${done.firstOther}.`,
    );
}

async function* pagesOf({ client, table: TableName }: Plants): AsyncGenerator<Item[]> {
  // Every plant that was stored before the Scan began is among its results (API reference, Scan).
  const pages = paginateScan({ client }, { TableName, ConsistentRead: true, Limit: MOST_ITEMS });
  for await (const page of pages) yield pageItems(page);
}

async function* itemsOf(plants: Plants, ids: readonly string[]): AsyncGenerator<Item[]> {
  for (const id of ids) {
    const item = await findItem(plants, id);
    yield item ? [item] : [];
  }
}

/** Reads an item, with all writes before it. @returns undefined if there is none */
async function findItem({ client, table: TableName }: Plants, id: string): Promise<Item | undefined> {
  const get = new GetItemCommand({ TableName, Key: keyOf(id), ConsistentRead: true });
  const { Item: item } = await client.send(get).catch(failed(`the plant ${id} cannot be read`));
  return item;
}

function noneOf(ids: readonly string[]): PlainError {
  return new PlainError(
    `there is ${ids.length === 1 ? `no plant ${ids}` : `none of the ${ids.length} plants`}.`,
  );
}

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
  const bar = progressBar(ids.length, { prints: true });
  await withInterrupt('Interrupted.', async ({ signal }) => {
    for (const id of ids) {
      if (await isDeleted(plants, id, signal)) done.deleted += 1;
      else done.absent += 1;
      bar(done.deleted + done.absent);
    }
  })
    .catch((error) => {
      const rest = ids.length - done.deleted - done.absent;
      throw new PlainError(
        `${explain(error).replace(/[^.]$/, '$&.')} ${counts()} May still be there: ${rest}.`,
      );
    })
    .finally(bar);
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
  await printWhole(`${itemLine(before).line}\n`);
  signal.throwIfAborted();
  const { Attributes: removed } = await client
    .send(new DeleteItemCommand({ TableName, Key: keyOf(id), ReturnValues: 'ALL_OLD' }))
    .catch(failed(`the plant ${id} may still be there`));
  // It was gone, as by an attempt whose response was lost. Only a second look shows that.
  if (!removed && (await findItem(plants, id)))
    throw new PlainError(`The plant ${id} is still there, or there again.`);
  // Stored again meanwhile.
  if (removed && itemLine(removed).line !== itemLine(before).line)
    await printWhole(`${itemLine(removed).line}\n`);
  return true;
}

/** Shows what would be deleted, and asks. @returns false for Ctrl-C and Ctrl-D too, which reject the question */
async function isConfirmed(plants: Plants, ids: readonly string[]): Promise<boolean> {
  const { where, table } = plants;
  const [id = ''] = ids;
  const isOne = ids.length === 1;
  const item = isOne ? await findItem(plants, id) : undefined;
  if (isOne && !item) throw noneOf(ids);
  printError(`${where}, table ${table}:\n${item ? itemLine(item).line : `${ids.length} ids`}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const question = isOne ? 'Delete it? Type its id: ' : 'Delete these plants? Type their number: ';
  const typed = await terminal.question(question).catch(() => '');
  terminal.close();
  return typed.trim() === (isOne ? id : String(ids.length));
}
