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
import { queryFolder } from '../../infra/names.ts';
import { failed } from '../shared/aws.ts';
import type { DeployedStack } from '../shared/deployed-stack.ts';

/** The most rows that StartQuery allows, and that GetQueryResults gives page by page (CloudWatch Logs API reference). */
export const MOST_ROWS = 100_000;

/** The pause between two questions whether a query is complete. */
const PAUSE_MS = 500;

/** What to search, and where. */
interface Search {
  readonly stage: string;
  /** The last part of the query's name, such as `errors`. */
  readonly query: string;
  /** The values of its parameters, which consist of letters, digits and `._-`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The time of the lines, in seconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

/**
 * Runs a query that is deployed with a stage, and waits until it is complete.
 * @param options.signal stops the query
 * @param options.onProgress called with the number of lines searched so far
 * @returns the names of the fields and the rows, where an absent field is empty; how many lines of the logs matched, before
 *   the query's own limit, and how many were searched
 * @throws PlainError if the stage has no such query, the query fails or is stopped, AWS denies a request, or not all rows can be read
 */
export async function runQuery(
  { settings }: DeployedStack,
  { stage, query, parameters, from: startTime, to: endTime }: Search,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (searched: number) => void },
) {
  const client = new CloudWatchLogsClient(settings);
  const name = queryFolder(stage) + query;
  const found = await queriesNamed(client, name).catch(failed('The queries cannot be listed'));
  const [definition] = found;
  if (definition === undefined)
    throw new PlainError(`Stage ${stage} has no query ${query}; deploy it again.`);
  // Names are not unique, and anybody may save a query.
  if (found.length > 1) throw new PlainError(`There are ${found.length} queries ${name}; delete the others.`);
  const { queryString = '', logGroupNames } = definition;
  // CloudWatch Logs API reference, QueryParameter.
  const filled = Object.entries(parameters).reduce((text, [parameter, value]) => {
    // Otherwise the query would find the lines of others.
    if (!text.includes(`{{${parameter}}}`))
      throw new PlainError(`The stage's query ${query} does not use --${parameter}; deploy it again.`);
    return text.replaceAll(`{{${parameter}}}`, () => value);
  }, queryString);
  const start = new StartQueryCommand({
    queryString: filled,
    logGroupNames,
    startTime,
    endTime,
    limit: MOST_ROWS,
  });
  const { queryId = '' } = await client.send(start).catch(failed('The query cannot be run'));
  try {
    return await results(client, queryId, signal, onProgress);
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

async function queriesNamed(client: CloudWatchLogsClient, name: string): Promise<QueryDefinition[]> {
  const found: QueryDefinition[] = [];
  let nextToken: string | undefined;
  do {
    const command = new DescribeQueryDefinitionsCommand({ queryDefinitionNamePrefix: name, nextToken });
    const page = await client.send(command);
    found.push(...(page.queryDefinitions ?? []).filter((each) => each.name === name));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return found;
}

/**
 * The results of a query. GetQueryResults responds at once, with what there is so far, and gives the rows of a complete query in
 * pages of 10,000 (CloudWatch Logs API reference).
 */
async function results(
  client: CloudWatchLogsClient,
  queryId: string,
  abortSignal: AbortSignal,
  onProgress: (searched: number) => void,
) {
  const lines: ResultField[][] = [];
  let nextToken: string | undefined;
  for (;;) {
    const command = new GetQueryResultsCommand({ queryId, nextToken });
    const page = await client.send(command, { abortSignal });
    const { recordsMatched: matched = 0, recordsScanned: searched = 0 } = page.statistics ?? {};
    if (page.status === 'Scheduled' || page.status === 'Running') {
      onProgress(searched);
      await pause(PAUSE_MS, undefined, { signal: abortSignal });
      continue;
    }
    if (page.status !== 'Complete') throw new PlainError(`The query ended without a result: ${page.status}.`);
    lines.push(...(page.results ?? []));
    nextToken = page.nextToken;
    if (nextToken === undefined) return { ...rowsOf(lines), matched, searched };
  }
}

function rowsOf(results: readonly ResultField[][]): { names: string[]; rows: string[][] } {
  // A field without a value is absent. `@ptr` identifies the line for another call.
  const lines = results.map((fields) => new Map(fields.map(({ field = '', value = '' }) => [field, value])));
  const names = [...new Set(lines.flatMap((line) => [...line.keys()]))].filter((name) => name !== '@ptr');
  return { names, rows: lines.map((line) => names.map((name) => line.get(name) ?? '')) };
}
