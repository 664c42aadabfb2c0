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
export const MOST_ROWS = 100_000;

/** The pause between two questions whether a query is complete. */
const PAUSE_MS = 500;

/**
 * Runs a query that is deployed with a stage, and waits until it is complete.
 * @param query the last part of the query's name, such as `errors`
 * @param parameters what its parameters stand for
 * @param time of the lines, in seconds since the epoch
 * @param options.signal stops the query
 * @param options.onProgress called with the number of lines searched so far
 * @returns the names of the fields and the rows, where an absent field is empty; how many lines of the logs matched, before
 *   the query's own limit, and how many were searched
 * @throws PlainError if the stage is not deployed or has no such query, the query fails or is stopped, AWS denies a request, or not all rows can be read
 */
export async function runQuery(
  stage: Stage,
  query: string,
  parameters: Readonly<Record<string, string>>,
  time: { startTime: number; endTime: number },
  { signal, onProgress }: { signal: AbortSignal; onProgress: (searched: number) => void },
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
  const start = new StartQueryCommand({ queryString, logGroupNames, ...time, limit: MOST_ROWS });
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
      if (nextToken === undefined) return { ...rowsOf(lines), matched, searched };
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
