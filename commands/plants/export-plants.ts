import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { PlainError } from '../../cli/plain-error.ts';
import { notAPage, pageItems } from '../shared/store-responses.ts';
import { type Item, itemLine } from './plant-line.ts';
import { findItem, type Plants } from './plants-table.ts';
import type { ReadAtRate } from './read-rate.ts';

/** An export. */
interface ExportJob {
  readonly plants: Plants;
  /** The ids of the plants; undefined for all. */
  readonly ids?: readonly string[] | undefined;
  /** How many segments of the Scan, or plants, are read at the same time. */
  readonly parallel: number;
  readonly rate: ReadAtRate;
  /** Writes whole lines. Called by several segments at the same time. */
  readonly write: (lines: string) => void | Promise<void>;
  /** Called after each page, or plant. */
  readonly onPage: () => void;
  readonly stop: AbortController;
}

/** What an export has done so far. */
export interface Exported {
  plants: number;
  /** How many of them are not exactly plants of this version; and the key of the first. */
  others: number;
  firstOther: string | undefined;
  /** Ids without an item. */
  absent: number;
}

/**
 * Writes plants of a table, in no particular order. Each page is written whole before the next of its segment is read, so
 * the memory holds one page of each segment, and the keys of those before it.
 * @param done changed with each page
 * @throws the first error of a read or a write, or the reason of the abort; nothing is written after that
 */
export async function exportPlants(job: ExportJob, done: Exported): Promise<void> {
  const { plants, ids, parallel, stop } = job;
  if (ids === undefined)
    return inParallel(parallel, stop, async (segment) => {
      for await (const items of pagesOf(job, segment)) await writeItems(job, items, done);
    });
  await eachId(ids, parallel, stop, async (id) => {
    const item = await findItem(plants, id);
    if (!item) done.absent += 1;
    await writeItems(job, item ? [item] : [], done);
  });
}

/** Does something with each id, with some at the same time. The step must end the rest after an abort. @throws as {@link inParallel} */
export async function eachId(
  ids: readonly string[],
  parallel: number,
  stop: AbortController,
  step: (id: string) => Promise<void>,
): Promise<void> {
  const queue = ids.values();
  await inParallel(parallel, stop, async () => {
    for (const id of queue) await step(id);
  });
}

/** Does some work several times at once, to the end of each. @throws the first error, which stops the others, or the reason of the abort */
async function inParallel(
  count: number,
  stop: AbortController,
  work: (n: number) => Promise<void>,
): Promise<void> {
  const all = Array.from({ length: count }, (_, n) => work(n));
  for (const each of all) each.catch((error) => stop.abort(error));
  await Promise.allSettled(all);
  stop.signal.throwIfAborted();
}

async function* pagesOf({ plants, parallel, rate, stop }: ExportJob, segment: number) {
  let start: Item | undefined;
  const keys = new Set<string | undefined>();
  do {
    const page = await rate(async (most) => {
      const scan = new ScanCommand({
        TableName: plants.table,
        Segment: segment,
        TotalSegments: parallel,
        // Every plant that was stored before the Scan began is among its results (API reference, Scan).
        ConsistentRead: true,
        ReturnConsumedCapacity: 'TOTAL',
        Limit: most,
        ...(start && { ExclusiveStartKey: { ...start } }),
      });
      const response = await plants.client.send(scan, { abortSignal: stop.signal });
      const { LastEvaluatedKey: next, ConsumedCapacity: cost } = response;
      if (next !== undefined && next.id?.N === undefined) throw notAPage();
      const found = pageItems(response);
      return { found, next, items: found.length, units: cost?.CapacityUnits ?? 0 };
    }, stop.signal);
    yield page.found;
    start = page.next;
    const key = start?.id?.N;
    if (keys.has(key)) throw new PlainError(`The store repeats the key ${key}: its pages would not end.`);
    keys.add(key);
  } while (start);
}

async function writeItems({ write, onPage, stop }: ExportJob, items: readonly Item[], done: Exported) {
  stop.signal.throwIfAborted();
  const lines = items.map((item) => {
    const { line, isPlant } = itemLine(item);
    if (!isPlant) {
      done.others += 1;
      done.firstOther ??= item.id?.N ?? 'unknown';
    }
    return line;
  });
  if (lines.length > 0) await write(`${lines.join('\n')}\n`);
  done.plants += lines.length;
  onPage();
}
