import {
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { OUTPUTS } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { allProblems, deployed, type Finding, problem, type Question } from './question.ts';

/** Whether both tables can be used, and have the stage's ceilings: drift cannot see one that the template does not set. */
export const tables: Question = async (subject) => {
  const stack = await deployed(subject);
  const names = [stack.output(OUTPUTS.plantsTable), stack.output(OUTPUTS.accessTokensTable)];
  const client = new DynamoDBClient(subject.settings);
  const found = await Promise.all(
    names.map(async (name) => {
      const table = await client
        .send(new DescribeTableCommand({ TableName: name }))
        .then(({ Table = {} }) => Table, ifMissing);
      return table ? tableProblems(name, table, subject.stage) : [missingTable(name)];
    }),
  );
  return allProblems(found.flat(), `${names.join(' and ')} have the ceilings of infra/stages.ts`);
};

/** What is wrong if a table does not exist, and where to read what to do. */
export function missingTable(name: string): Finding {
  return problem(`the table ${name} does not exist`, 'docs/recover.md#restore-a-deleted-table');
}

/** Handles the error for a table that does not exist. @throws any other error */
export function ifMissing(error: unknown): undefined {
  if (!(error instanceof ResourceNotFoundException)) throw error;
}

function tableProblems(
  name: string,
  { TableStatus: status, OnDemandThroughput: maxima = {} }: TableDescription,
  { tableCeiling }: Stage,
): Finding[] {
  // A table keeps serving while its settings are changed.
  if (status !== 'ACTIVE' && status !== 'UPDATING') {
    const says = `the table ${name} cannot be used yet, or no longer: ${status}`;
    return [problem(says, `aws dynamodb describe-table --table-name ${name}`)];
  }
  const differing = [
    { kind: 'Read', actual: maxima.MaxReadRequestUnits, wanted: tableCeiling?.reads },
    { kind: 'Write', actual: maxima.MaxWriteRequestUnits, wanted: tableCeiling?.writes },
  ].filter(({ actual = NONE, wanted = NONE }) => actual !== wanted);
  if (differing.length === 0) return [];
  const says = differing.map(
    ({ kind, actual, wanted }) =>
      `${inWords(actual)} ${kind.toLowerCase()} units a second (${inWords(wanted)} in infra/stages.ts)`,
  );
  // In one command: DynamoDB refuses another update of a table while it is UPDATING (API Reference, UpdateTable).
  const maximum = differing.map(({ kind, wanted = NONE }) => `Max${kind}RequestUnits=${wanted}`);
  const mend = `aws dynamodb update-table --table-name ${name} --on-demand-throughput ${maximum.join(',')}`;
  return [problem(`${name} allows ${says.join(', and ')}`, mend)];
}

/** It removes a maximum (DynamoDB API Reference, OnDemandThroughput); then DescribeTable has no field for it (github.com/go-to-k/cdkd, issue 1434, tried on AWS). */
const NONE = -1;

const inWords = (maximum = NONE) => (maximum === NONE ? 'unlimited' : `${maximum}`);
