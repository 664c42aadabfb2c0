import { CloudWatchLogsClient, DescribeQueryDefinitionsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { type ClientSettings, failed } from '../../infra/deployed/aws.ts';
import { queryFolder } from '../../infra/names.ts';
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

/** A place in a query for a value (CloudWatch Logs API reference, QueryParameter). */
const PLACE = /\{\{(\w+)\}\}/g;
/** What ids and names of tokens consist of: nothing that could end the text of a query. Not a token itself. */
const VALUE = /^(?!plants_)[\w.-]{1,128}$/;

/**
 * Finds a deployed query, and fills in its parameters.
 * @param name the last part of its name, such as `errors`
 * @throws PlainError if the stage has no such query; UsageError if a parameter is missing, not used, or not valid
 */
export async function readyQuery(
  { name: stage }: Stage,
  settings: ClientSettings,
  name: string,
  parameters: Parameters,
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
  return { queryString: filled(name, queryString, parameters), logGroupNames };
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

function filled(query: string, commands: string, parameters: Parameters): string {
  const places = new Set([...commands.matchAll(PLACE)].map(([, place = '']) => place));
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (!places.has(name)) throw new UsageError(`The query ${query} does not use --${name}.`);
    if (!VALUE.test(value))
      throw new UsageError(
        `--${name} must have 1 to 128 letters, digits, dots, dashes and underscores, and be no token.`,
      );
  }
  return commands.replaceAll(PLACE, (_, place: string) => {
    const value = Object.hasOwn(parameters, place) ? parameters[place] : undefined;
    if (value === undefined) throw new UsageError(`The query ${query} needs --${place}.`);
    return value;
  });
}
