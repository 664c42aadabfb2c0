import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  DescribeQueryDefinitionsCommand,
  GetQueryResultsCommand,
  type QueryDefinition,
  type ResultField,
  StartQueryCommand,
  StopQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { PlainError } from '../../cli/plain-error.ts';
import { queryFolder } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { failed } from '../shared/aws.ts';
import { deployedStack } from '../shared/deployed-stack.ts';

/** The most rows that StartQuery allows, and that GetQueryResults gives page by page (CloudWatch Logs API reference). */
const MOST_ROWS = 100_000;

/** Both seconds, since the epoch, belong to it (CloudWatch Logs API reference, StartQuery). */
interface Time {
  readonly startTime: number;
  readonly endTime: number;
}

interface Found {
  readonly lines: readonly ResultField[][];
  readonly matched: number;
  readonly searched: number;
}

/** The pause between two questions whether a query is complete. */
const PAUSE_MS = 500;

/**
 * Runs a query that is deployed with a stage, and waits until it is complete. A query that finds the most rows of single lines is
 * run again over each half of its time, and so on, until no line can be missing.
 * @param query the last part of the query's name, such as `errors`
 * @param parameters what its parameters stand for
 * @param time of the lines
 * @param options.signal stops the query
 * @param options.onProgress called with the number of lines searched so far
 * @returns the names of the fields and the rows, where an absent field is empty; whether there may be more rows; how many lines of
 *   the logs matched, before the query's own limit, and how many were searched
 * @throws PlainError if the stage is not deployed or has no such query, the query fails or is stopped, AWS denies a request, or not all rows can be read
 */
export async function runQuery(
  stage: Stage,
  query: string,
  parameters: Readonly<Record<string, string>>,
  time: Time,
  options: { signal: AbortSignal; onProgress: (searched: number) => void },
) {
  const client = new CloudWatchLogsClient((await deployedStack(stage)).settings);
  let { queryString = '', logGroupNames } = await savedQuery(client, stage.name, query);
  for (const [parameter, value] of Object.entries(parameters)) {
    // CloudWatch Logs API reference, QueryParameter.
    const place = `{{${parameter}}}`;
    // Otherwise the query would find the lines of others.
    if (!queryString.includes(place))
      throw new PlainError(`The stage's query ${query} does not use --${parameter}; deploy it again.`);
    queryString = queryString.replaceAll(place, () => value);
  }
  const found = await runInParts(time, (part) =>
    runOnce(client, { queryString, logGroupNames, ...part }, options),
  );
  return { ...found, ...rowsOf(found.lines) };
}

/** CloudWatch's name of a line. A row of `stats` is no line, and has none. */
const nameOf = (fields: readonly ResultField[]) => fields.find(({ field }) => field === '@ptr')?.value;

async function runInParts(
  time: Time,
  run: (time: Time) => Promise<Found>,
): Promise<Found & { isPartial: boolean }> {
  const found = await run(time);
  const isPartial = found.lines.length >= MOST_ROWS;
  const isTooShort = time.endTime - time.startTime < 2;
  if (!isPartial || isTooShort || !found.lines.every(nameOf)) return { ...found, isPartial };
  const middle = Math.floor((time.startTime + time.endTime) / 2);
  const first = await runInParts({ ...time, endTime: middle }, run);
  const second = await runInParts({ ...time, startTime: middle }, run);
  // The lines of the second in the middle are in both.
  const lines = new Map([...first.lines, ...second.lines].map((line) => [nameOf(line), line]));
  return { ...found, lines: [...lines.values()], isPartial: first.isPartial || second.isPartial };
}

async function runOnce(
  client: CloudWatchLogsClient,
  query: Time & { queryString: string; logGroupNames: string[] | undefined },
  { signal, onProgress }: { signal: AbortSignal; onProgress: (searched: number) => void },
): Promise<Found> {
  const start = new StartQueryCommand({ ...query, limit: MOST_ROWS });
  const { queryId = '' } = await client.send(start).catch(failed('The query cannot be run'));
  const lines: ResultField[][] = [];
  let nextToken: string | undefined;
  try {
    // GetQueryResults responds at once, with what there is so far, and gives the rows of a complete query in pages of 10,000
    // (CloudWatch Logs API reference).
    for (;;) {
      const command = new GetQueryResultsCommand({ queryId, nextToken });
      const page = await client.send(command, { abortSignal: signal });
      const { recordsMatched: matched = 0, recordsScanned: searched = 0 } = page.statistics ?? {};
      if (page.status === 'Scheduled' || page.status === 'Running') {
        onProgress(searched);
        await pause(PAUSE_MS, undefined, { signal });
        continue;
      }
      if (page.status !== 'Complete')
        throw new PlainError(`The query ended without a result: ${page.status}.`);
      lines.push(...(page.results ?? []));
      nextToken = page.nextToken;
      if (nextToken === undefined) return { lines, matched, searched };
    }
  } catch (error) {
    if (error instanceof PlainError && !signal.aborted) throw error;
    // It would go on, and cost, for up to an hour.
    const { success } = await client
      .send(new StopQueryCommand({ queryId }))
      .catch(() => ({ success: false }));
    const outcome = success
      ? 'the query was stopped'
      : `the query may still be running; to stop it: aws logs stop-query --query-id ${queryId}`;
    if (signal.aborted) throw new PlainError(`Nothing is shown: ${outcome}`);
    return failed(outcome)(error);
  }
}

async function savedQuery(client: CloudWatchLogsClient, stage: string, query: string) {
  const name = queryFolder(stage) + query;
  const found: QueryDefinition[] = [];
  let nextToken: string | undefined;
  do {
    const page = await client
      .send(new DescribeQueryDefinitionsCommand({ queryDefinitionNamePrefix: name, nextToken }))
      .catch(failed('The queries cannot be listed'));
    found.push(...(page.queryDefinitions ?? []).filter((each) => each.name === name));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  const [definition] = found;
  if (definition === undefined)
    throw new PlainError(`Stage ${stage} has no query ${query}; deploy it again.`);
  // Names are not unique, and anybody may save a query.
  if (found.length > 1) throw new PlainError(`There are ${found.length} queries ${name}; delete the others.`);
  return definition;
}

function rowsOf(results: readonly ResultField[][]): { names: string[]; rows: string[][] } {
  // A field without a value is absent. `@ptr` identifies the line for another call.
  const lines = results.map((fields) => new Map(fields.map(({ field = '', value = '' }) => [field, value])));
  const names = [...new Set(lines.flatMap((line) => [...line.keys()]))].filter((name) => name !== '@ptr');
  return { names, rows: lines.map((line) => names.map((name) => line.get(name) ?? '')) };
}
