import { paginateScan } from '@aws-sdk/client-dynamodb';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { printError, printWhole } from '../../cli/print.ts';
import { progressLine } from '../../cli/progress.ts';
import { pageItems } from '../shared/store-responses.ts';
import { writeWholeFile } from './plant-file.ts';
import { type Item, itemLine } from './plant-line.ts';
import { findItem, noneOf, type Plants, sentence } from './plants-table.ts';

/** The most items of a page. DynamoDB's 1 MB of small plants would be tens of thousands, which take ten times that memory. */
const MOST_ITEMS = 2_000;

/** What an export has done so far. */
interface Exported {
  plants: number;
  /** How many of them are not exactly plants of this version; and the key of the first. */
  foreign: number;
  firstForeign: string;
  /** Ids without an item. */
  absent: number;
}

/** Writes whole lines. */
type Write = (lines: string) => void | Promise<void>;

/**
 * Exports plants in no particular order, and says on standard error how many they were.
 * @param ids of the plants; undefined for all
 * @param file undefined or - for standard output
 * @throws PlainError if the export stopped early, or there is none of the plants
 */
export async function exportPlants(
  plants: Plants,
  ids: readonly string[] | undefined,
  file = '-',
): Promise<void> {
  const done: Exported = { plants: 0, foreign: 0, firstForeign: '', absent: 0 };
  const isFile = file !== '-';
  const name = isFile ? file : 'standard output';
  const work = async (write: Write) => {
    await writeEach(plants, ids, write, done, isFile ? progressLine() : () => undefined);
    if (ids && done.plants === 0) throw noneOf(ids);
  };
  await (isFile ? writeWholeFile(file, work) : work(printWhole)).catch((error) => {
    const left = isFile
      ? `${name} is as it was before; the ${done.plants} plants that were read are discarded.`
      : `Of the plants, ${done.plants} were written to ${name}; the last line may be cut.`;
    throw new PlainError(`${sentence(error)} ${left}`);
  });
  const moving = ids ? '' : ' Those stored or deleted during the export may or may not be included.';
  printError(`Plants in ${name}: ${done.plants}.${moving}`);
  if (done.absent > 0) printError(`Not there: ${done.absent}.`);
  if (done.foreign > 0)
    printError(
      `An import would refuse ${done.foreign}, which are no plants of this version: the first is ${done.firstForeign}.`,
    );
}

/** Writes plants, page by page. @param done changed with each page */
async function writeEach(
  plants: Plants,
  ids: readonly string[] | undefined,
  write: Write,
  done: Exported,
  show: ReturnType<typeof progressLine>,
) {
  await withInterrupt('The export was interrupted.', async ({ signal }) => {
    for await (const items of ids ? itemsOf(plants, ids) : pagesOf(plants)) {
      signal.throwIfAborted();
      const lines = items.map((item) => {
        const { line, isPlant } = itemLine(item);
        if (!isPlant) {
          done.firstForeign ||= item.id?.N ?? 'unknown';
          done.foreign += 1;
        }
        return `${line}\n`;
      });
      await write(lines.join(''));
      done.plants += items.length;
      if (items.length === 0 && ids) done.absent += 1;
      show(`${done.plants.toLocaleString('en')} plants`);
    }
  }).finally(show);
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
