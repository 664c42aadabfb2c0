import { CloudWatchLogsClient, DescribeQueryDefinitionsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { type ClientSettings, failed } from '../../infra/deployed/aws.ts';
import { queryFolder } from '../../infra/names.ts';
import { QUERIES } from '../../infra/queries.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { PlainError } from '../../terminal/plain-error.ts';

/** A query that is ready to run. */
export interface ReadyQuery {
  readonly queryString: string;
  readonly logGroupNames: readonly string[];
}

/** The values of the parameters, by the names of their options. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** What ids and names of tokens consist of: nothing that could end the text of a query. Not a token itself. */
const VALUE = /^(?!plants_)[\w.-]{1,128}$/;

/**
 * Checks the parameters of a query, without AWS.
 * @param name the last part of its name, such as `errors`
 * @returns a function that puts the value into its places (CloudWatch Logs API reference, QueryParameter)
 * @throws UsageError if a parameter is missing, not used, or not valid; the function throws PlainError if it has no place for it
 */
export function filling(name: string, parameters: Parameters): (commands: string) => string {
  const wanted = Object.values(QUERIES).find((each) => each.name === name)?.parameter?.name;
  for (const [parameter, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (parameter !== wanted) throw new UsageError(`The query ${name} does not use --${parameter}.`);
    if (!VALUE.test(value))
      throw new UsageError(
        `--${parameter} must have 1 to 128 letters, digits, dots, dashes and underscores, and be no token.`,
      );
  }
  if (wanted === undefined) return (commands) => commands;
  const value = parameters[wanted];
  if (value === undefined) throw new UsageError(`The query ${name} needs --${wanted}.`);
  return (commands) => {
    const filled = commands.replaceAll(`{{${wanted}}}`, value);
    // It would find the lines of others.
    if (filled === commands)
      throw new PlainError(`The stage's query ${name} does not use --${wanted}; deploy it again.`);
    return filled;
  };
}

/**
 * Finds a deployed query, and fills in its parameter.
 * @param fill see {@link filling}
 * @throws PlainError if the stage has no such query, or another one of this name
 */
export async function readyQuery(
  { name: stage }: Stage,
  settings: ClientSettings,
  name: string,
  fill: (commands: string) => string,
): Promise<ReadyQuery> {
  const folder = queryFolder(stage);
  const definitions = await definitionsIn(folder, settings).catch(failed('The queries cannot be listed'));
  const found = definitions.filter((each) => each.name === folder + name);
  const [definition] = found;
  if (definition === undefined) {
    const names = definitions.map((each) => each.name?.slice(folder.length)).sort();
    throw new PlainError(
      names.length === 0
        ? `Stage ${stage} has no queries; deploy it again.`
        : `Stage ${stage} has no query ${name}, only ${names.join(', ')}.`,
    );
  }
  // Names are not unique, and anybody may save a query.
  if (found.length > 1)
    throw new PlainError(`There are ${found.length} queries ${folder}${name}; delete the others.`);
  const { queryString = '', logGroupNames = [] } = definition;
  return { queryString: fill(queryString), logGroupNames };
}

async function definitionsIn(queryDefinitionNamePrefix: string, settings: ClientSettings) {
  const client = new CloudWatchLogsClient(settings);
  const definitions = [];
  let nextToken: string | undefined;
  do {
    const page = await client.send(
      new DescribeQueryDefinitionsCommand({ queryDefinitionNamePrefix, nextToken }),
    );
    definitions.push(...(page.queryDefinitions ?? []));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return definitions;
}
