import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  type GetQueryResultsCommandOutput,
  type ResultField,
  StartQueryCommand,
  StopQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { PlainError } from '../../cli/plain-error.ts';
import { type ClientSettings, failed, wasRefused } from '../shared/aws.ts';
import type { ReadyQuery } from './definition.ts';

/** The most rows that StartQuery allows, and that GetQueryResults gives page by page (CloudWatch Logs API reference). */
const MOST_ROWS = 100_000;

/** The first pause between two questions whether a query is complete; each next one is longer, up to the last. */
const PAUSE_MS = { first: 250, last: 2_000 };

/**
 * Runs a query, and waits until it is complete: GetQueryResults responds at once, with what there is so far (CloudWatch Logs
 * API reference). A query that is not complete in the end is stopped, because it would go on, and cost, for up to an hour.
 * @param from, to the time of the lines, in seconds since the epoch
 * @param options.signal stops the query
 * @param options.onProgress called with the number of lines searched so far
 * @returns the names of the fields and the rows, where an absent field is empty; how many lines of the logs matched, before
 *   the query's own limit, and how many were searched
 * @throws PlainError if the query fails or is stopped, AWS denies a request, or not all rows can be read
 */
export async function runQuery(
  query: ReadyQuery,
  { from, to }: { from: number; to: number },
  settings: ClientSettings,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (searched: number) => void },
) {
  const client = new CloudWatchLogsClient(settings);
  const start = new StartQueryCommand({
    queryString: query.queryString,
    logGroupNames: [...query.logGroupNames],
    startTime: from,
    endTime: to,
    limit: MOST_ROWS,
  });
  const { queryId = '' } = await client.send(start).catch((error: unknown) => {
    const unknown = 'The query may be running, but AWS did not say its id';
    return failed(wasRefused(error) ? 'The query was not started' : unknown)(error);
  });
  try {
    const first = await completed(client, queryId, signal, onProgress);
    const lines = await allLines(client, queryId, first, signal).catch(
      failed('The query is complete, but not all of its rows can be read'),
    );
    const { recordsMatched: matched = 0, recordsScanned: searched = 0 } = first.statistics ?? {};
    return { ...rowsOf(lines), matched, searched };
  } catch (error) {
    if (error instanceof PlainError) throw error;
    const stopped = await stop(client, queryId);
    if (signal.aborted) throw new PlainError(`Nothing is shown: ${stopped}`);
    return failed(stopped)(error);
  } finally {
    client.destroy();
  }
}

/** @throws PlainError if the query has ended without success; the error of a call, or of the signal */
async function completed(
  client: CloudWatchLogsClient,
  queryId: string,
  signal: AbortSignal,
  onProgress: (searched: number) => void,
): Promise<GetQueryResultsCommandOutput> {
  for (let wait = PAUSE_MS.first; ; wait = Math.min(2 * wait, PAUSE_MS.last)) {
    const response = await client.send(new GetQueryResultsCommand({ queryId }), { abortSignal: signal });
    if (response.status === 'Complete') return response;
    if (response.status !== 'Scheduled' && response.status !== 'Running')
      throw new PlainError(`The query ended without a result: ${response.status}.`);
    onProgress(response.statistics?.recordsScanned ?? 0);
    await pause(wait, undefined, { signal });
  }
}

/** The lines of all pages: one has 10,000 at most (CloudWatch Logs API reference, GetQueryResults). */
async function allLines(
  client: CloudWatchLogsClient,
  queryId: string,
  first: GetQueryResultsCommandOutput,
  signal: AbortSignal,
): Promise<ResultField[][]> {
  const lines = first.results ?? [];
  for (let { nextToken } = first; nextToken !== undefined; ) {
    const next = new GetQueryResultsCommand({ queryId, nextToken });
    const page = await client.send(next, { abortSignal: signal });
    if (page.status !== 'Complete') throw new Error(`a page is ${page.status}`);
    lines.push(...(page.results ?? []));
    nextToken = page.nextToken;
  }
  return lines;
}

/** Stops a query. @returns what is known of it then */
async function stop(client: CloudWatchLogsClient, queryId: string): Promise<string> {
  const isStopped = await client.send(new StopQueryCommand({ queryId })).then(
    ({ success }) => success === true,
    () => false,
  );
  if (isStopped) return 'the query was stopped';
  return `the query may still be running; to stop it: aws logs stop-query --query-id ${queryId}`;
}

function rowsOf(results: readonly ResultField[][]): { names: string[]; rows: string[][] } {
  // A field without a value is absent. `@ptr` identifies the line for another call.
  const lines = results.map((fields) => new Map(fields.map(({ field = '', value = '' }) => [field, value])));
  const names = [...new Set(lines.flatMap((line) => [...line.keys()]))].filter((name) => name !== '@ptr');
  return { names, rows: lines.map((line) => names.map((name) => line.get(name) ?? '')) };
}

/** How many rows a query gave, and of how many lines. */
export function foundInWords(rows: number, matched: number): string {
  const first = rows < MOST_ROWS ? '' : 'The first ';
  return `${first}${rows.toLocaleString('en')} rows from ${matched.toLocaleString('en')} matching lines`;
}
