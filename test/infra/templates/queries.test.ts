import { expect, test } from 'vitest';
import { copyOf, PROTECTED, propertiesOf } from '../synth.ts';

const queries = Object.values(propertiesOf(copyOf(PROTECTED), 'AWS::Logs::QueryDefinition'));

// runbook.test.ts compares the fields with those of the log.
test.each(queries)(
  '$Name has commands of Logs Insights in an order that makes sense',
  ({ Name, QueryString }) => {
    expect(Name).toMatch(/^PlantStore\/production\/[a-z-]+$/);
    const names: string[] = QueryString.split('\n| ').map((command: string) => command.split(' ')[0]);
    expect(names.join(' ')).toMatch(/^(parse )*filter (stats|fields) sort( limit)?$/);
    // It names a field or an alias that is left (CloudWatch Logs User Guide, "sort").
    const [, left, sorted] =
      /\| (?:stats|fields) (.+)\n\| sort ([@\w.]+) (?:asc|desc)\b/.exec(QueryString) ?? [];
    expect(left?.match(/[@\w.]+/g)).toContain(sorted);
  },
);

test('a parameter is in the query that has it', () => {
  for (const { QueryString, Parameters = [] } of queries) {
    const used = new Set([...QueryString.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
    expect([...used]).toEqual(Parameters.map(({ Name }: { Name: string }) => Name));
  }
});

// Commands that delete plants read `created`.
test.each([
  [
    'created',
    'filter message.token = "{{name}}" and message.outcome = "created"',
    'fields message.id',
    'sort message.id asc',
  ],
  [
    'maybe-created',
    'filter message.token = "{{name}}" and message.error = 50401',
    'fields message.id',
    'sort message.id asc',
  ],
  [
    'errors',
    'filter ispresent(message.error)',
    'stats max(@timestamp) as latest, count(*) as requests by message.error, message.fault, message.at, message.version, message.token',
    'sort latest desc',
  ],
  [
    'reports',
    'parse @logStream /\\[(?<version>.*?)\\]/',
    'parse @message /^(?<text>[^{\\s].*)/',
    'filter level = "ERROR" or type like /^platform/ or ispresent(text)',
    'fields @timestamp, version, type, record.phase, record.status, record.errorType, message.errorType, message.errorMessage, text, requestId, record.requestId',
    'sort @timestamp desc',
    'limit 200',
  ],
])('%s has exactly its lines', (name, ...lines) => {
  const saved = queries.find(({ Name }) => Name === `PlantStore/production/${name}`);
  expect(saved?.QueryString.split('\n| ')).toEqual(lines);
});
