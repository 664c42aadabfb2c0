import { expect, test, vi } from 'vitest';
import { error, noStack, ok, type Responses, stack } from '../../test/support/aws-stand-in.ts';
import { expectRefusal, runWithAws } from '../../test/support/run-command.ts';

const logGroupNames = ['function-logs', 'access-logs'];
/** The saved queries of stage prod. */
const queries = (...saved: readonly [name: string, queryString: string][]): Responses => {
  const queryDefinitions = saved.map(([name, queryString]) => {
    return { name: `PlantStore/prod/${name}`, queryString, logGroupNames };
  });
  // The first page is empty.
  const page = { nextToken: 'more' };
  return { DescribeQueryDefinitions: ({ nextToken }) => ok(nextToken ? { queryDefinitions } : page) };
};
const row = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([field, value]) => ({ field, value }));
const FAULTS = { 'message.error': '50001', 'message.fault': 'AccessDeniedException', requests: '12' };
const COMPLETE = {
  status: 'Complete',
  results: [row({ ...FAULTS, '@ptr': 'p1' })],
  statistics: { recordsMatched: 15, recordsScanned: 4_321, bytesScanned: 1e6 },
};
const DEPLOYED: Responses = {
  ...stack('UPDATE_COMPLETE'),
  ...queries(['errors-of-others', 'x'], ['errors', 'filter x']),
  StartQuery: ok({ queryId: 'q-1' }),
  GetQueryResults: ok(COMPLETE),
};
const ERRORS = ['--stage', 'prod', '--query', 'errors'];
const REQUEST = ['--stage', 'prod', '--query', 'request', '--request'];

test('npm run logs runs the deployed query, asks until it is complete, and prints a table of all pages', async () => {
  const results = [row({ 'message.error': '40102', requests: '3', '@ptr': 'p2' })];
  const replies = [{ status: 'Scheduled' }, { ...COMPLETE, nextToken: 'more' }, { ...COMPLETE, results }];
  const responses = { ...DEPLOYED, GetQueryResults: () => ok(replies.shift() ?? {}) };
  const { code, out, err, inputs } = await runWithAws('logs', [...ERRORS, '--hours', '3'], responses);
  expect(out).toBe(`message.error  message.fault          requests
50001          AccessDeniedException  12
40102                                 3
`);
  expect(err).toMatch(
    /^2 rows from 15 matching lines; 4,321 lines searched since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/,
  );
  expect(code).toBe(0);
  expect(inputs('DescribeQueryDefinitions')).toEqual([
    { queryDefinitionNamePrefix: 'PlantStore/prod/errors' },
    { queryDefinitionNamePrefix: 'PlantStore/prod/errors', nextToken: 'more' },
  ]);
  const [{ startTime, endTime, ...query } = {}] = inputs('StartQuery');
  expect(query).toEqual({ queryString: 'filter x', logGroupNames, limit: 100_000 });
  expect(Number(endTime) - Number(startTime)).toBe(3 * 3_600);
  expect(Math.abs(Number(endTime) - Date.now() / 1_000)).toBeLessThan(60);
  const queryId = 'q-1';
  expect(inputs('GetQueryResults')).toEqual([{ queryId }, { queryId }, { queryId, nextToken: 'more' }]);
  expect(inputs('StopQuery')).toEqual([]);
});

test('for a program, npm run logs prints each row as JSON, or the ids of the plants, each once', async () => {
  const created = (id: string) => row({ '@timestamp': '2026-01-31 12:00:00.130', 'message.id': id });
  const results = [created('-7'), created('9007199254740993'), row({ type: 'a\u009b"' }), created('-7')];
  const responses = { ...DEPLOYED, GetQueryResults: ok({ ...COMPLETE, results }) };
  const ids = await runWithAws('logs', [...ERRORS, '--ids'], responses);
  expect(ids).toMatchObject({ code: 0, out: '-7\n9007199254740993\n' });
  const { code, out } = await runWithAws('logs', [...ERRORS, '--json'], responses);
  expect([code, out.split('\n').slice(1)]).toEqual([
    0,
    [
      '{"@timestamp":"2026-01-31 12:00:00.130","message.id":"9007199254740993"}',
      '{"type":"a\\u009b\\""}',
      '{"@timestamp":"2026-01-31 12:00:00.130","message.id":"-7"}',
      '',
    ],
  ]);
});

test.each([
  [0, '0 rows'],
  // The most that StartQuery allows (CloudWatch Logs API reference). Rows of `stats` cannot be put together from parts.
  [100_000, 'The first 100,000 rows'],
])('says that a query found nothing, or that there may be more: %d rows', async (count, rows) => {
  const GetQueryResults = ok({ ...COMPLETE, results: Array(count).fill([]) });
  const { err } = await runWithAws('logs', ERRORS, { ...DEPLOYED, GetQueryResults });
  expect(err.split(' from ')[0]).toBe(rows);
});

test('npm run logs finds each line once where one query cannot give them all', async () => {
  // A line more than one query gives, one in each millisecond, around the middle of the hour.
  const first = Date.now() - 1_850_000;
  const lineOf = (n: number) => row({ 'message.id': `${n}`, '@ptr': `p${n}` });
  let time = { startTime: 0, endTime: 0 };
  const { code, out, err, inputs } = await runWithAws('logs', [...ERRORS, '--ids'], {
    ...DEPLOYED,
    StartQuery: (input) => {
      time = input as unknown as typeof time;
      return ok({ queryId: 'q-1' });
    },
    GetQueryResults: () => {
      const from = Math.max(0, 1_000 * time.startTime - first);
      const end = Math.min(100_001, 1_000 * time.endTime + 1_000 - first);
      const found = Array.from({ length: Math.max(0, end - from) }, (_, n) => lineOf(from + n));
      const statistics = { recordsMatched: found.length, recordsScanned: found.length };
      return ok({ status: 'Complete', results: found.slice(0, 100_000), statistics });
    },
  });
  expect({ code, err }).toEqual({ code: 0, err: expect.any(String) });
  const ids = out.split('\n').slice(0, -1);
  expect([ids.length, new Set(ids).size, ids[0], ids.at(-1)]).toEqual([100_001, 100_001, '0', '100000']);
  expect(err).toMatch(/^100,001 rows from 100,001 matching lines; /);
  const [hour, earlier, later] = inputs('StartQuery');
  expect(inputs('StartQuery')).toHaveLength(3);
  expect([earlier?.startTime, later?.endTime]).toEqual([hour?.startTime, hour?.endTime]);
  expect(later?.startTime).toBe(earlier?.endTime);
});

const denied = error('AccessDeniedException', 'no', 403);
const running =
  'the query may still be running; to stop it: aws logs stop-query --query-id q-1: AccessDeniedException: no';
test.each<[message: string, responses: Responses, words?: string[]]>([
  ['The query ended without a result: Failed.', { GetQueryResults: ok({ status: 'Failed' }) }],
  ['The stack PlantStore-prod does not exist in this account and Region.', { DescribeStacks: noStack() }],
  ['The query cannot be run: AccessDeniedException: no', { StartQuery: denied }],
  ['The queries cannot be listed: AccessDeniedException: no', { DescribeQueryDefinitions: denied }],
  [
    'the query was stopped: AccessDeniedException: no',
    { GetQueryResults: denied, StopQuery: ok({ success: true }) },
  ],
  [running, { GetQueryResults: denied, StopQuery: denied }],
  [
    'There are 2 queries PlantStore/prod/errors; delete the others.',
    queries(['errors', 'x'], ['errors', 'y']),
  ],
  ['Stage prod has no query errors; deploy it again.', queries(['others', 'x'])],
  ['The query finds no ids of plants.', {}, [...ERRORS, '--ids']],
  // It would find the lines of others, so it is not started.
  [
    "The stage's query request does not use --request; deploy it again.",
    { ...queries(['request', 'filter x']), StartQuery: denied },
    [...REQUEST, '7'],
  ],
])('fails: %s', async (message, responses, words = ERRORS) => {
  const { code, out, err } = await runWithAws('logs', words, { ...DEPLOYED, ...responses });
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: `${message}\n` });
});

const NAMES =
  'errors, gateway-errors, senders, refused-tokens, id-forms, retries, slow-requests, request, token, last-failed, created, maybe-created, version or reports';
const VALUE =
  '--request must have 1 to 256 printable ASCII characters without quotation marks and backslashes, and be no token.';
test.each<[message: string, words: string[]]>([
  [`Name the query: --query NAME, which is ${NAMES}.`, ['--stage', 'prod']],
  [`--query must be ${NAMES}.`, ['--stage', 'prod', '--query', 'constructor']],
  ['--hours must be a whole number', [...ERRORS, '--hours', '0']],
  ['The query errors does not use --name.', [...ERRORS, '--name', 'ci']],
  ['--ids and --json cannot be used together.', [...ERRORS, '--ids', '--json']],
  ['The query token needs --name.', ['--stage', 'prod', '--query', 'token']],
  [VALUE, [...REQUEST, '1" or 1=1']],
  [VALUE, [...REQUEST, '1\\']],
  [VALUE, [...REQUEST, '1\n| limit 1']],
  [VALUE, [...REQUEST, 'plants_0123']],
])('refuses a command before it asks AWS: %s', async (message, words) => {
  vi.stubEnv('AWS_REGION', '');
  await expectRefusal('logs', words, { code: 2, message });
});

test('takes the longest name that a client can have in the log', async () => {
  const name = `system:serviceaccount:${'n'.repeat(234)}`;
  const saved = queries(['token', 'filter message.token = "{{name}}"']);
  const words = ['--stage', 'prod', '--query', 'token', '--name', name];
  const { code, inputs } = await runWithAws('logs', words, { ...DEPLOYED, ...saved });
  expect([code, name.length]).toEqual([0, 256]);
  expect(inputs('StartQuery')).toMatchObject([{ queryString: `filter message.token = "${name}"` }]);
});

test('fills in the id of a request, and stops the query at Ctrl-C', async () => {
  const { inputs, ...ended } = await runWithAws('logs', [...REQUEST, 'a@0a-b'], {
    ...DEPLOYED,
    ...queries(['request', 'filter message.request = "{{request}}" or requestId = "{{request}}"']),
    GetQueryResults: () => {
      process.emit('SIGINT');
      return ok({ status: 'Running' });
    },
    StopQuery: ok({ success: true }),
  });
  expect(ended).toMatchObject({ code: 1, out: '', err: 'Nothing is shown: the query was stopped\n' });
  const queryString = 'filter message.request = "a@0a-b" or requestId = "a@0a-b"';
  expect(inputs('StartQuery')).toMatchObject([{ queryString, logGroupNames }]);
  expect(inputs('StopQuery')).toEqual([{ queryId: 'q-1' }]);
});
