import { setImmediate } from 'node:timers/promises';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { printError, printWhole } from '../../cli/print.ts';
import { progressLine } from '../../cli/progress.ts';
import { Failure } from '../../lambda/errors.ts';
import type { Json } from '../../lambda/json.ts';
import { checkPlant } from '../../lambda/request/check-plant.ts';
import { pageItems } from '../../operate/shared/store-responses.ts';
import { hasMore } from '../shared/has-more.ts';
import { idIn } from '../shared/plant-key.ts';
import type { ExportFormat } from './export-format.ts';
import { writeWholeFile } from './plant-file.ts';
import { type Item, itemValue } from './plant-line.ts';
import { findItem, noneOf, type Plants, sentence } from './plants-table.ts';

/** The most items of a page. DynamoDB's 1 MB of small plants would be tens of thousands, which take ten times that memory. */
const MOST_ITEMS = 2_000;

/**
 * Exports plants in no particular order, and says on standard error how many they were.
 * @param ids of the plants; undefined for all
 * @param format how they are written
 * @param file undefined or - for standard output
 * @throws PlainError if the export stopped early, or there is none of the plants
 */
export async function exportPlants(
  plants: Plants,
  ids: readonly string[] | undefined,
  format: ExportFormat,
  file = '-',
): Promise<void> {
  const isFile = file !== '-';
  const name = isFile ? file : 'standard output';
  // In front of lines that go to the terminal, it would stay.
  const show = isFile ? progressLine() : () => undefined;
  let [exported, foreign] = [0, 0];
  let firstForeign = '';
  const work = (write: (lines: string) => void | Promise<void>) =>
    withInterrupt('The export was interrupted.', async ({ signal }) => {
      await write(format.start);
      for await (const items of ids ? itemsOf(plants, ids) : pagesOf(plants)) {
        signal.throwIfAborted();
        const lines = items.map((item) => {
          const value = itemValue(item);
          const isOwn = isPlant(value);
          if (!isOwn) {
            foreign += 1;
            firstForeign ||= idIn(item) ?? 'unknown';
          }
          return format.line(value, isOwn);
        });
        await write(lines.join(''));
        exported += items.length;
        show(() => `${exported.toLocaleString('en')} plants`);
      }
      if (ids && exported === 0) throw noneOf(ids);
    }).finally(show);
  await (isFile ? writeWholeFile(file, work) : work(printWhole)).catch((error) => {
    const left = isFile
      ? `${name} is as it was before; the ${exported} plants that were read are discarded.`
      : `Of the plants, ${exported} were written to ${name}; the last line may be cut.`;
    throw new PlainError(`${sentence(error)} ${left}`);
  });
  const moving = ids ? '' : ' Those stored or deleted during the export may or may not be included.';
  printError(`Plants in ${name}: ${exported}.${moving}`);
  if (ids && ids.length > exported) printError(`Not there: ${ids.length - exported}.`);
  if (foreign > 0)
    printError(
      `An import would refuse ${foreign}, which are no plants of this version: the first is ${firstForeign}.`,
    );
}

async function* pagesOf({ client, table: TableName }: Plants): AsyncGenerator<Item[]> {
  // Every plant that was stored before the Scan began is among its results (API reference, Scan).
  const pages = paginateScan({ client }, { TableName, ConsistentRead: true, Limit: MOST_ITEMS });
  for await (const page of readAhead(pages)) {
    const items = pageItems(page);
    if (items.some((item) => idIn(item) === undefined))
      throw new PlainError(`${TableName} is not a table of plants; its key is not the id of plants.`);
    yield items;
  }
}

/** Reads the next page while this one is written: the store and the export each have a core. */
async function* readAhead<Page>(pages: AsyncIterator<Page>): AsyncGenerator<Page> {
  for (let next = pages.next(); ; ) {
    const { value, done } = await next;
    if (done) return;
    next = pages.next();
    // An error is told when the page is needed.
    next.catch(() => undefined);
    // The request is sent in the turns of the event loop that follow, which the work on this page would hold up.
    await setImmediate();
    yield value;
  }
}

async function* itemsOf(plants: Plants, ids: readonly string[]): AsyncGenerator<Item[]> {
  for (const id of ids) {
    const item = await findItem(plants, id);
    yield item ? [item] : [];
  }
}

/** Whether an item is a plant of this version, with nothing else in it. */
function isPlant(item: Json): boolean {
  try {
    return !hasMore(item, checkPlant(item));
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
