import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { PROTECTED } from '../../support/test-stages.ts';
import { copyOf, propertiesOf } from '../synth.ts';

const queries = Object.values(propertiesOf(copyOf(PROTECTED), 'AWS::Logs::QueryDefinition'));

// runbook.test.ts compares the fields with those of the log.
test.each(queries)(
  '$Name has commands of Logs Insights in an order that makes sense',
  ({ Name, QueryString }) => {
    expect(Name).toMatch(/^PlantStore\/production\/[a-z-]+$/);
    const names: string[] = QueryString.split('\n| ').map((command: string) => command.split(' ')[0]);
    expect(names.join(' ')).toMatch(/^(parse )*filter (stats|fields)( filter)? sort( limit)?$/);
    // It names a field or an alias that is left (CloudWatch Logs User Guide, "sort").
    const [, left, sorted] =
      /\| (?:stats|fields) (.+)\n(?:\| filter .+\n)?\| sort ([@\w.]+) (?:asc|desc)\b/.exec(QueryString) ?? [];
    expect(left?.match(/[@\w.]+/g)).toContain(sorted);
  },
);

test('a parameter is in the query that has it', () => {
  for (const { QueryString, Parameters = [] } of queries) {
    const used = new Set([...QueryString.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
    expect([...used]).toEqual(Parameters.map(({ Name }: { Name: string }) => Name));
  }
});

// A failed request's line is at the level ERROR, too, and is no report of a crash.
test('reports leaves out the lines of requests', () => {
  const [query] = queries.filter(({ Name }) => Name.endsWith('/reports'));
  expect(query.QueryString).toContain(
    '| filter (level = "ERROR" and not ispresent(message.outcome)) or type like /^platform/ or ispresent(text)\n',
  );
});

// Commands that delete plants read ids.
test.each([
  ['created', 'message.outcome = "created"'],
  [
    'maybe-created',
    '(message.error = 50401 or message.outcome = "created-or-repeated") and ispresent(message.id)',
  ],
])('%s prints only the ids of plants that a token has created, or perhaps created', (name, condition) => {
  const [query] = queries.filter(({ Name }) => Name.endsWith(`/${name}`));
  expect(query.QueryString).toBe(
    `filter message.token = "{{name}}" and ${condition}\n| fields message.id\n| sort message.id asc`,
  );
});

test('version finds what a version stored, or perhaps stored, when, and for whom', () => {
  const [query] = queries.filter(({ Name }) => Name.endsWith('/version'));
  expect(query.QueryString).toBe(
    'filter message.version = "{{version}}" and ispresent(message.id) and (message.outcome = "created" or (message.error = 50401 or message.outcome = "created-or-repeated"))\n' +
      '| fields @timestamp, message.id, message.outcome, message.token\n| sort @timestamp asc',
  );
});

/** Whether the lines that a query filters by have this message. A function of `stats` gives what its one line has. */
function finds(text: string, message: object): boolean {
  const filters = [...text.matchAll(/(?:^|\| )filter (.+)$/gm)].map(([, filter = '']) => `(${filter})`);
  const condition = filters
    .join(' and ')
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => SENT[name as keyof typeof SENT])
    .replaceAll(/ispresent\((\S+?)\)/g, '($1 !== undefined)')
    .replaceAll(/ = | and | or /g, (word) => ({ ' = ': ' === ', ' and ': ' && ' })[word] ?? ' || ');
  return runInNewContext(condition, { message, outcome: undefined, ...message });
}
const SENT = { version: '7', name: 'shop' };
const LISTS = ['created', 'maybe-created', 'version', 'last-failed'];

test.each<[what: string, change: object, lists: string[]]>([
  ['a plant that was stored', { outcome: 'created' }, ['created', 'version']],
  ['a plant that was there', { outcome: 'repeated' }, []],
  ['a lost first response', { outcome: 'created-or-repeated' }, ['maybe-created', 'version']],
  ['no response', { outcome: 'failed', error: 50401 }, ['maybe-created', 'version', 'last-failed']],
  ['no connection', { outcome: 'failed', error: 50301 }, ['last-failed']],
  ['no response about a token', { outcome: 'failed', error: 50401, id: undefined }, ['last-failed']],
  ['an id that is taken', { outcome: 'refused', error: 40901 }, []],
  ["another version's plant", { outcome: 'created', version: '8' }, ['created']],
  ["another client's plant", { outcome: 'created-or-repeated', token: 'farm' }, ['version']],
])('which lists of plants have %s', (_, change, lists) => {
  const message = { version: '7', token: 'shop', id: '1', ...change };
  const found = LISTS.filter((list) => {
    const [query] = queries.filter(({ Name }) => Name.endsWith(`/${list}`));
    return finds(query.QueryString, message);
  });
  expect(found).toEqual(lists);
});

test('last-failed finds the plants whose last response was a failure of the service, with the client', () => {
  const [query] = queries.filter(({ Name }) => Name.endsWith('/last-failed'));
  expect(query.QueryString).toBe(
    'filter ispresent(message.token) or message.outcome = "failed"\n' +
      '| stats latest(message.outcome) as outcome, latest(message.error) as error, max(@timestamp) as latest by message.token, message.id\n' +
      '| filter outcome = "failed"\n| sort latest desc',
  );
});

// A request without a token leaves its sender's address in the gateway's log only.
test('senders counts all requests by address and status', () => {
  const [query] = queries.filter(({ Name }) => Name.endsWith('/senders'));
  expect(query.LogGroupNames).toEqual(['{AccessLogs}']);
  expect(query.QueryString).toBe(
    'filter ispresent(address)\n| stats max(@timestamp) as latest, count(*) as requests by address, status, responseType\n| sort requests desc',
  );
});
