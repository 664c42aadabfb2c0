import { CloudWatchLogsClient, DescribeQueryDefinitionsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { UsageError } from '../../cli/command-line.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { queryFolder } from '../../infra/names.ts';
import { QUERIES } from '../../infra/queries.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { type ClientSettings, failed } from '../shared/aws.ts';

/** A query that is ready to run. */
export interface ReadyQuery {
  readonly queryString: string;
  readonly logGroupNames: readonly string[];
}

/** The parameter of a query, and its value. */
interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** What ids and names of tokens consist of: nothing that could end the text of a query. Not a token itself. */
const VALUE = /^(?!plants_)[\w.-]{1,128}$/;

/**
 * Checks the parameters of a query, without AWS.
 * @param name the last part of its name, such as `errors`
 * @param given the values, by the names of their options
 * @returns undefined if the query has no parameter
 * @throws UsageError if a parameter is missing, not used, or not valid
 */
export function parameterOf(name: string, given: Record<string, string | undefined>): Parameter | undefined {
  const wanted = Object.entries(QUERIES).find(([each]) => each === name)?.[1].parameter?.name;
  const unused = Object.keys(given).find((each) => given[each] !== undefined && each !== wanted);
  if (unused !== undefined) throw new UsageError(`The query ${name} does not use --${unused}.`);
  if (wanted === undefined) return undefined;
  const { [wanted]: value } = given;
  if (value === undefined) throw new UsageError(`The query ${name} needs --${wanted}.`);
  if (VALUE.test(value)) return { name: wanted, value };
  throw new UsageError(
    `--${wanted} must have 1 to 128 letters, digits, dots, dashes and underscores, and be no token.`,
  );
}

/**
 * Finds a deployed query, and fills in its parameter.
 * @throws PlainError if the stage has no such query, another one of this name, or one without a place for the parameter
 */
export async function readyQuery(
  { name: stage }: Stage,
  settings: ClientSettings,
  name: string,
  parameter: Parameter | undefined,
): Promise<ReadyQuery> {
  const folder = queryFolder(stage);
  const definitions = await definitionsIn(folder, settings).catch(failed('The queries cannot be listed'));
  const found = definitions.filter((each) => each.name === folder + name);
  const [definition] = found;
  if (definition === undefined) throw new PlainError(`Stage ${stage} has no query ${name}; deploy it again.`);
  // Names are not unique, and anybody may save a query.
  if (found.length > 1)
    throw new PlainError(`There are ${found.length} queries ${folder}${name}; delete the others.`);
  const { queryString = '', logGroupNames = [] } = definition;
  if (parameter === undefined) return { queryString, logGroupNames };
  // CloudWatch Logs API reference, QueryParameter.
  const filled = queryString.replaceAll(`{{${parameter.name}}}`, parameter.value);
  if (filled !== queryString) return { queryString: filled, logGroupNames };
  // It would find the lines of others.
  throw new PlainError(`The stage's query ${name} does not use --${parameter.name}; deploy it again.`);
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
