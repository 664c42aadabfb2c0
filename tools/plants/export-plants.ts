import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { notAPage, pageItems } from '../../operate/deployed/store-responses.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { type Item, plantLine } from './plant-line.ts';
import type { ReadRate } from './read-rate.ts';

/** An export. */
export interface ExportJob {
  readonly client: DynamoDBClient;
  readonly table: string;
  /** Into how many segments the Scan is divided; they are read at the same time. */
  readonly segments: number;
  readonly rate: ReadRate;
  /** Writes whole lines. Called by several segments at the same time. */
  readonly write: (lines: string) => void | Promise<void>;
  /** Called after each page. */
  readonly onPage: () => void;
  readonly stop: AbortController;
}

/** What an export has done so far. */
export interface Exported {
  plants: number;
  /** Items that are not exactly a plant, and so were left out; and the key of the first. */
  others: number;
  firstOther: string | undefined;
}

/**
 * Writes all plants of a table, in no particular order. Each page is written whole before the next of its segment is read, so
 * the memory holds one page of each segment, and the keys of those before it.
 * @param done changed with each page
 * @throws the first error of a read or a write, or the reason of the abort; nothing is written after that
 */
export async function exportPlants(job: ExportJob, done: Exported): Promise<void> {
  const { segments, stop } = job;
  const all = Array.from({ length: segments }, (_, segment) => exportSegment(job, segment, done));
  for (const each of all) each.catch((error) => stop.abort(error));
  await Promise.allSettled(all);
  if (stop.signal.aborted) throw stop.signal.reason;
}

async function exportSegment(job: ExportJob, segment: number, done: Exported): Promise<void> {
  const { client, table, segments, rate, write, onPage, stop } = job;
  let start: Item | undefined;
  const keys = new Set<string | undefined>();
  do {
    const page = await rate.page(async (most) => {
      const scan = new ScanCommand({
        TableName: table,
        Segment: segment,
        TotalSegments: segments,
        // Every plant that was stored before the Scan began is among its results (API reference, Scan).
        ConsistentRead: true,
        ReturnConsumedCapacity: 'TOTAL',
        Limit: most,
        ...(start && { ExclusiveStartKey: { ...start } }),
      });
      const response = await client.send(scan, { abortSignal: stop.signal });
      const { LastEvaluatedKey: next, ConsumedCapacity: cost } = response;
      if (next !== undefined && next.id?.N === undefined) throw notAPage();
      const found = pageItems(response);
      return { found, next, items: found.length, units: cost?.CapacityUnits ?? 0 };
    }, stop.signal);
    stop.signal.throwIfAborted();
    const lines = linesOf(page.found, done);
    if (lines.length > 0) await write(`${lines.join('\n')}\n`);
    done.plants += lines.length;
    onPage();
    start = page.next;
    const key = start?.id?.N;
    if (keys.has(key)) throw new PlainError(`The store repeats the key ${key}: its pages would not end.`);
    keys.add(key);
  } while (start);
}

function linesOf(items: readonly Item[], done: Exported): string[] {
  return items.flatMap((item) => {
    const line = plantLine(item);
    if (line !== undefined) return [line];
    done.others += 1;
    done.firstOther ??= item.id?.N ?? 'unknown';
    return [];
  });
}
