import { describe, expect, test, vi } from 'vitest';
import { error, type Fields, is, type Responses, stack } from '../../test/support/aws-stand-in.ts';
import { expectRefusal, runWithAws } from '../../test/support/run-command.ts';

/** A query of stage prod. */
const saved = (name: string, queryString: string, logGroupNames = ['function-logs']) => ({
  name: `PlantStore/prod/${name}`,
  queryString,
  logGroupNames,
});
const queries = (...queryDefinitions: Fields[]): Responses => ({
  DescribeQueryDefinitions: is({ queryDefinitions }),
});
/** Responds to the calls of one operation in turn; the last response is repeated. */
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

const DEPLOYED: Responses = {
  ...stack('UPDATE_COMPLETE'),
  ...queries(saved('errors-of-others', 'x'), saved('errors', 'filter x')),
  StartQuery: is({ queryId: 'q-1' }),
  GetQueryResults: inTurn(COMPLETE),
};
const NAMES =
  'errors, gateway-errors, refused-tokens, slow-requests, request, token, created, maybe-created, version or reports';
const ERRORS = ['--stage', 'prod', '--query', 'errors'];
const REQUEST = ['--stage', 'prod', '--query', 'request', '--request'];

describe('npm run logs', () => {
  test('runs the deployed query, asks until it is complete, and prints a table', async () => {
    const GetQueryResults = inTurn({ ...RUNNING, status: 'Scheduled' }, COMPLETE);
    const responses = { ...DEPLOYED, GetQueryResults };
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
    ]);
    const [{ startTime, endTime, ...query } = {}] = inputs('StartQuery');
    expect(query).toEqual({ queryString: 'filter x', logGroupNames: ['function-logs'], limit: 100_000 });
    expect(Number(endTime) - Number(startTime)).toBe(3 * 3_600);
    expect(Math.abs(Number(endTime) - Date.now() / 1_000)).toBeLessThan(60);
    expect(inputs('GetQueryResults')).toEqual(Array(2).fill({ queryId: 'q-1' }));
    expect(inputs('StopQuery')).toEqual([]);
  });

  test('reads all pages, and says which rows it received', async () => {
    const page = ({ nextToken = '0' }: Fields) =>
      is({
        ...COMPLETE,
        results: [row({ n: `row ${nextToken}` })],
        nextToken: nextToken === '2' ? undefined : `${Number(nextToken) + 1}`,
      });
    const { code, out, err } = await runWithAws('logs', ERRORS, { ...DEPLOYED, GetQueryResults: page });
    expect({ code, out }).toEqual({ code: 0, out: 'n\nrow 0\nrow 1\nrow 2\n' });
    expect(err).toMatch(/^3 rows from 15 matching lines; 4,321 lines searched since /);
  });

  test('says that a query found nothing, or that there may be more than it can return', async () => {
    const errOf = async (count: number) => {
      const results = Array(count).fill(row({ n: '1' }));
      const responses = { ...DEPLOYED, GetQueryResults: is({ ...COMPLETE, results }) };
      return (await runWithAws('logs', ERRORS, responses)).err;
    };
    expect(await errOf(0)).toMatch(/^0 rows from 15 matching lines; /);
    // The most that StartQuery allows (CloudWatch Logs API reference).
    expect(await errOf(100_000)).toMatch(/^The first 100,000 rows from 15 matching lines; /);
  });

  const denied = error('AccessDeniedException', 'no', 403);
  const running =
    'the query may still be running; to stop it: aws logs stop-query --query-id q-1: AccessDeniedException: no';
  test.each<[message: string, responses: Responses]>([
    ['The query ended without a result: Failed.', { GetQueryResults: inTurn(RUNNING, { status: 'Failed' }) }],
    ['The query cannot be run: AccessDeniedException: no', { StartQuery: denied }],
    ['The queries cannot be listed: AccessDeniedException: no', { DescribeQueryDefinitions: denied }],
    [
      'the query was stopped: AccessDeniedException: no',
      { GetQueryResults: denied, StopQuery: is({ success: true }) },
    ],
    [running, { GetQueryResults: denied, StopQuery: denied }],
    [
      'There are 2 queries PlantStore/prod/errors; delete the others.',
      queries(saved('errors', 'x'), saved('errors', 'y')),
    ],
    ['Stage prod has no query errors; deploy it again.', queries(saved('others', 'x'))],
  ])('fails: %s', async (message, responses) => {
    const { code, out, err } = await runWithAws('logs', ERRORS, { ...DEPLOYED, ...responses });
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: `${message}\n` });
  });

  test('refuses a saved query without a place for the parameter: it would find the lines of others', async () => {
    const responses = { ...DEPLOYED, ...queries(saved('request', 'filter x')) };
    const { code, err, inputs } = await runWithAws('logs', [...REQUEST, '7'], responses);
    expect({ code, err }).toEqual({
      code: 1,
      err: "The stage's query request does not use --request; deploy it again.\n",
    });
    expect(inputs('StartQuery')).toEqual([]);
  });

  const VALUE =
    'must have 1 to 128 printable ASCII characters without quotation marks and backslashes, and be no token.';
  test.each<[message: string, words: string[]]>([
    [`Name the query: --query NAME, which is ${NAMES}.`, ['--stage', 'prod']],
    [`--query must be ${NAMES}.`, ['--stage', 'prod', '--query', 'constructor']],
    ['--hours must be a whole number', [...ERRORS, '--hours', '0']],
    ['The query errors does not use --name.', [...ERRORS, '--name', 'ci']],
    ['The query token needs --name.', ['--stage', 'prod', '--query', 'token']],
    [`--request ${VALUE}`, [...REQUEST, '1" or 1=1']],
    [`--request ${VALUE}`, [...REQUEST, '1\\']],
    [`--request ${VALUE}`, [...REQUEST, '1\n| limit 1']],
    [`--request ${VALUE}`, [...REQUEST, 'plants_0123']],
  ])('refuses a command before it asks AWS: %s', async (message, words) => {
    vi.stubEnv('AWS_REGION', '');
    await expectRefusal('logs', words, { code: 2, message });
    vi.unstubAllEnvs();
  });

  test('fills in the id of a request, and stops the query at Ctrl-C', async () => {
    const text = 'filter message.request = "{{request}}" or requestId = "{{request}}"';
    const logGroupNames = ['function-logs', 'access-logs'];
    const GetQueryResults = () => {
      process.emit('SIGINT');
      return is(RUNNING);
    };
    const { inputs, ...ended } = await runWithAws('logs', [...REQUEST, 'a@0a-b'], {
      ...DEPLOYED,
      ...queries(saved('request', text, logGroupNames)),
      GetQueryResults,
      StopQuery: is({ success: true }),
    });
    expect(ended).toMatchObject({ code: 1, out: '', err: 'Nothing is shown: the query was stopped\n' });
    const queryString = 'filter message.request = "a@0a-b" or requestId = "a@0a-b"';
    expect(inputs('StartQuery')).toMatchObject([{ queryString, logGroupNames }]);
    expect(inputs('StopQuery')).toEqual([{ queryId: 'q-1' }]);
  });
});
