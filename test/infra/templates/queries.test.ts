import { expect, test } from 'vitest';
import { copyOf, PROTECTED, propertiesOf } from '../synth.ts';

const queries = Object.values(propertiesOf(copyOf(PROTECTED), 'AWS::Logs::QueryDefinition'));

const linesOf = (query: string): string[] =>
  queries.find(({ Name }) => Name.endsWith(`/${query}`))?.QueryString.split('\n| ');

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

// Commands that delete plants read ids.
const IDS = ['fields message.id', 'sort message.id asc'];
test.each([
  ['created', 'filter message.token = "{{name}}" and message.outcome = "created"', ...IDS],
  [
    'maybe-created',
    'filter message.token = "{{name}}" and message.error = 50401 and ispresent(message.id)',
    ...IDS,
  ],
  [
    'version',
    'filter message.version = "{{version}}" and ispresent(message.id) and (message.outcome = "created" or message.error = 50401)',
    'fields @timestamp, message.id, message.outcome, message.token',
    'sort @timestamp asc',
  ],
  ['errors', 'filter ispresent(message.error)', expect.stringMatching(/^stats min\(/), 'sort latest desc'],
])('%s has exactly its lines', (name, ...lines) => {
  expect(linesOf(name)).toEqual(lines);
});
