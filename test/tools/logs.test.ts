import { describe, expect, test } from 'vitest';
import { type Answers, error, type Fields, is, stack, startAws } from '../support/aws-stand-in.ts';
import { startTool } from '../support/local-process.ts';
import { expectRefusal, hasTerminal, runInTerminal, runTool } from './run-tool.ts';

const definition = (name: string, queryString: string, logGroupNames = ['function-logs']) => ({
  queryDefinitionId: `id-${name}`,
  name,
  queryString,
  logGroupNames,
});

/** Answers the calls of one operation in turn; the last answer is repeated. */
const inTurn = (...replies: Fields[]) => {
  let count = 0;
  return () => is(replies[Math.min(count++, replies.length - 1)] ?? {});
};
const row = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([field, value]) => ({ field, value }));
const RUNNING = { status: 'Running', results: [], statistics: { recordsScanned: 1_234 } };
const COMPLETE = {
  status: 'Complete',
  results: [
    row({ 'message.error': '50001', 'message.fault': 'AccessDeniedException', requests: '12', '@ptr': 'p1' }),
    row({ 'message.error': '40102', requests: '3', '@ptr': 'p2' }),
  ],
  statistics: { recordsMatched: 15, recordsScanned: 4_321, bytesScanned: 1e6 },
};

/** Stage prod with two queries, which CloudWatch lists on two pages. */
const DEPLOYED: Answers = {
  ...stack('UPDATE_COMPLETE'),
  DescribeQueryDefinitions: ({ nextToken }) =>
    is(
      nextToken
        ? {
            queryDefinitions: [
              definition(
                'PlantStore/prod/request',
                'filter message.request = "{{request}}" or requestId = "{{request}}"',
                ['function-logs', 'access-logs'],
              ),
            ],
          }
        : { queryDefinitions: [definition('PlantStore/prod/errors', 'filter x')], nextToken: 'more' },
    ),
  StartQuery: is({ queryId: 'q-1' }),
  GetQueryResults: inTurn(COMPLETE),
};
const ERRORS = ['--stage', 'prod', '--query', 'errors'];

async function run(answers: Answers, words: readonly string[]) {
  const aws = await startAws({ ...DEPLOYED, ...answers });
  const result = await runTool('logs', words, { env: aws.env });
  aws.close();
  const inputs = (operation: string) =>
    aws.calls.filter((call) => call.operation === operation).map(({ input }) => input);
  return { result, inputs, operations: aws.calls.map(({ operation }) => operation) };
}

describe('npm run logs', () => {
  test('runs the deployed query, asks until it is complete, and prints a table', async () => {
    const GetQueryResults = inTurn({ ...RUNNING, status: 'Scheduled' }, RUNNING, COMPLETE);
    const { result, inputs, operations } = await run({ GetQueryResults }, [...ERRORS, '--hours', '3']);
    expect(result).toMatchObject({
      code: 0,
      out: `message.error  message.fault          requests
50001          AccessDeniedException  12
40102                                 3
`,
      err: expect.stringMatching(/^2 rows; 4,321 lines searched since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/),
    });
    expect(inputs('DescribeQueryDefinitions')).toEqual([
      { queryDefinitionNamePrefix: 'PlantStore/prod/' },
      { queryDefinitionNamePrefix: 'PlantStore/prod/', nextToken: 'more' },
    ]);
    const [{ startTime, endTime, ...query } = {}] = inputs('StartQuery');
    expect(query).toEqual({ queryString: 'filter x', logGroupNames: ['function-logs'] });
    expect(Number(endTime) - Number(startTime)).toBe(3 * 3_600);
    expect(Math.abs(Number(endTime) - Date.now() / 1_000)).toBeLessThan(60);
    expect(inputs('GetQueryResults')).toEqual(Array(3).fill({ queryId: 'q-1' }));
    expect(operations).not.toContain('StopQuery');
  });

  test('puts the id of a request in each of its places', async () => {
    const { inputs } = await run({}, ['--stage', 'prod', '--query', 'request', '--request', '0a-b']);
    expect(inputs('StartQuery')).toMatchObject([
      {
        queryString: 'filter message.request = "0a-b" or requestId = "0a-b"',
        logGroupNames: ['function-logs', 'access-logs'],
      },
    ]);
  });

  test('prints text from the logs without control characters, on one line', async () => {
    const results = [row({ 'message.at': 'one\ntwo \u001b[31mred' })];
    const { result } = await run({ GetQueryResults: is({ ...COMPLETE, results }) }, ERRORS);
    expect(result.out).toBe('message.at\none two \\u001b[31mred\n');
  });

  test('says how many lines it searched if it found none, and ends with 0', async () => {
    const { result } = await run({ GetQueryResults: is({ ...COMPLETE, results: [] }) }, ERRORS);
    expect(result).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/^0 rows; 4,321 lines searched/),
    });
  });

  test('says that there may be more rows than CloudWatch returns', async () => {
    const results = Array.from({ length: 10_000 }, (_, n) => row({ n: String(n) }));
    const { result } = await run({ GetQueryResults: is({ ...COMPLETE, results }) }, ERRORS);
    expect(result.err).toMatch(/^The first 10,000 rows; /);
  });

  const denied = error('AccessDeniedException', 'no logs:StartQuery');
  test.each<[message: string, answers: Answers]>([
    ['The query ended without a result: Failed.', { GetQueryResults: inTurn(RUNNING, { status: 'Failed' }) }],
    ['The query ended without a result: Timeout.', { GetQueryResults: is({ status: 'Timeout' }) }],
    ['The query was not started: AccessDeniedException: no logs:StartQuery', { StartQuery: denied }],
    [
      'The queries cannot be listed: AccessDeniedException: no logs:StartQuery',
      { DescribeQueryDefinitions: denied },
    ],
    [
      'the query was stopped: AccessDeniedException: no logs:StartQuery',
      { GetQueryResults: denied, StopQuery: is({ success: true }) },
    ],
    [
      'the query may still be running; to stop it: aws logs stop-query --query-id q-1: AccessDeniedException: no logs:StartQuery',
      { GetQueryResults: denied },
    ],
    [
      'Stage prod has no queries; deploy it again.',
      { DescribeQueryDefinitions: is({ queryDefinitions: [] }) },
    ],
    [
      'There are 2 queries PlantStore/prod/errors; delete the others.',
      {
        DescribeQueryDefinitions: is({
          queryDefinitions: Array(2).fill(definition('PlantStore/prod/errors', 'x')),
        }),
      },
    ],
    [
      'Stage prod has no query errors, only others.',
      { DescribeQueryDefinitions: is({ queryDefinitions: [definition('PlantStore/prod/others', 'x')] }) },
    ],
  ])('fails in one line: %s', async (message, answers) => {
    const { result } = await run(answers, ERRORS);
    expect(result).toMatchObject({ code: 1, out: '', err: `${message}\n` });
  });

  test.each<[message: string, words: string[]]>([
    ['Name the stage: --stage NAME.', ['--query', 'errors']],
    ['Name the query: --query NAME', ['--stage', 'prod']],
    ['--hours must be a whole number', [...ERRORS, '--hours', '0']],
  ])('refuses a command before it asks AWS: %s', async (message, words) => {
    await expectRefusal('logs', words, { code: 2, message });
  });

  test.each<[message: string, words: string[]]>([
    ['The query request needs --request.', ['--stage', 'prod', '--query', 'request']],
    ['The query errors does not use --name.', [...ERRORS, '--name', 'ci']],
    [
      '--request must have 1 to 128 letters',
      ['--stage', 'prod', '--query', 'request', '--request', '1" or 1=1'],
    ],
    [
      '--request must have 1 to 128 letters',
      ['--stage', 'prod', '--query', 'request', '--request', 'plants_0123'],
    ],
  ])('refuses a parameter: %s', async (message, words) => {
    const { result, operations } = await run({}, words);
    expect(result).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
    expect(result.err).not.toContain('plants_0');
    expect(operations).not.toContain('StartQuery');
  });

  test.each<[what: string, answers: Answers, message: string]>([
    ['stops the query', { StopQuery: is({ success: true }) }, 'the query was stopped'],
    [
      'says that the query may go on if it cannot be stopped',
      {},
      'the query may still be running; to stop it: aws logs',
    ],
  ])('on Ctrl-C, %s', async (_, answers, message) => {
    const asked = Promise.withResolvers<void>();
    const GetQueryResults = () => {
      asked.resolve();
      return is(RUNNING);
    };
    const aws = await startAws({ ...DEPLOYED, ...answers, GetQueryResults });
    const { child, ended } = startTool('logs', ERRORS, { env: aws.env });
    await asked.promise;
    child.kill('SIGINT');
    expect(await ended).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(new RegExp(`^Nothing is shown: ${message}[^\\n]*\\n$`)),
    });
    aws.close();
    const stops = aws.calls.filter(({ operation }) => operation === 'StopQuery');
    expect(stops.map(({ input }) => input)).toEqual([{ queryId: 'q-1' }]);
  });
});

test.skipIf(!hasTerminal)('in a terminal, npm run logs shows how many lines it has searched', async () => {
  const aws = await startAws({ ...DEPLOYED, GetQueryResults: inTurn(RUNNING, COMPLETE) });
  const { code, output } = await runInTerminal('logs', ERRORS, { env: aws.env });
  aws.close();
  expect(code).toBe(0);
  expect(output).toContain('1,234 lines searched\r\u001b[2K');
});
