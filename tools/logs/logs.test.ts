import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { clientSettings } from '../../infra/deployed/aws.ts';
import { UsageError } from '../../terminal/command-line.ts';
import {
  error,
  type Fields,
  is,
  PROD,
  type Responses,
  stack,
  startAws,
  withAws,
} from '../../test/support/aws-stand-in.ts';
import { startCommand, temporaryFolder } from '../../test/support/local-process.ts';
import { expectRefusal, hasTerminal, runInTerminal, runWithAws } from '../../test/support/run-command.ts';
import { filling, readyQuery } from './definition.ts';
import { runQuery } from './run-query.ts';

const definition = (name: string, queryString: string, logGroupNames = ['function-logs']) => ({
  queryDefinitionId: `id-${name}`,
  name,
  queryString,
  logGroupNames,
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

/** Stage prod with two queries, which CloudWatch lists on two pages. */
const DEPLOYED: Responses = {
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
const NAMES = 'errors, gateway-errors, refused-tokens, slow-requests, request, token or reports';
const ERRORS = ['--stage', 'prod', '--query', 'errors'];

/** Runs the query errors of stage prod in this process. */
function run(responses: Responses) {
  const settings = clientSettings(PROD);
  return withAws({ ...DEPLOYED, ...responses }, async () => {
    const query = await readyQuery(PROD, settings, 'errors', filling('errors', {}));
    const { signal } = new AbortController();
    const time = { from: 0, to: 3_600 };
    return runQuery(query, time, settings, { signal, onProgress: () => undefined });
  });
}

describe('npm run logs', () => {
  test('runs the deployed query, asks until it is complete, and prints a table', async () => {
    const GetQueryResults = inTurn({ ...RUNNING, status: 'Scheduled' }, RUNNING, COMPLETE);
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
      { queryDefinitionNamePrefix: 'PlantStore/prod/' },
      { queryDefinitionNamePrefix: 'PlantStore/prod/', nextToken: 'more' },
    ]);
    const [{ startTime, endTime, ...query } = {}] = inputs('StartQuery');
    expect(query).toEqual({ queryString: 'filter x', logGroupNames: ['function-logs'], limit: 100_000 });
    expect(Number(endTime) - Number(startTime)).toBe(3 * 3_600);
    expect(Math.abs(Number(endTime) - Date.now() / 1_000)).toBeLessThan(60);
    expect(inputs('GetQueryResults')).toEqual(Array(3).fill({ queryId: 'q-1' }));
    expect(inputs('StopQuery')).toEqual([]);
  });

  /** Responses with so many rows, 10,000 on a page, which is the most (CloudWatch Logs API reference, GetQueryResults). */
  const pages = (count: number): Responses => ({
    GetQueryResults: ({ nextToken = '0' }) => {
      const start = Number(nextToken);
      const results = Array.from({ length: Math.min(10_000, count - start) }, (_, n) =>
        row({ n: `${start + n}` }),
      );
      const isLast = start + results.length === count;
      return is({ ...COMPLETE, results, nextToken: isLast ? undefined : String(start + results.length) });
    },
  });
  test.each<[rows: number, says: string]>([
    [0, '0 rows from 15 matching lines; 4,321 lines searched since '],
    [20_001, '20,001 rows from 15 matching lines; 4,321 lines searched since '],
    [100_000, 'The first 100,000 rows from 15 matching lines; 4,321 lines searched since '],
  ])('reads all pages of %i rows, and says how many it received', async (count, says) => {
    const { code, out, err } = await runWithAws('logs', ERRORS, { ...DEPLOYED, ...pages(count) });
    expect(code).toBe(0);
    const names = count === 0 ? [] : ['n'];
    expect(out.split('\n')).toEqual([...names, ...Array.from({ length: count }, (_, n) => String(n)), '']);
    expect(err.slice(0, says.length)).toBe(says);
  });

  test('prints 5,000 rows of which one has a value of 250 kB', async () => {
    const results = Array.from({ length: 5_000 }, (_, n) =>
      row({ a: n === 7 ? 'x'.repeat(250_000) : 'y', b: `${n}` }),
    );
    const GetQueryResults = is({ ...COMPLETE, results });
    const { code, out, err } = await runWithAws('logs', ERRORS, { ...DEPLOYED, GetQueryResults });
    expect(err).toMatch(/^5,000 rows from /);
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines).toHaveLength(5_002);
    expect(lines[8]).toBe(`${'x'.repeat(250_000)}  7`);
    expect(lines[9]).toMatch(/^y {2,300}8$/);
  });

  test('says once if its rows do not fit into the file of its standard output, with exit code 1', async () => {
    const aws = await startAws({ ...DEPLOYED, ...pages(3_000) });
    const into = path.join(temporaryFolder(), 'rows');
    const { code, err } = await startCommand('logs', ERRORS, { env: aws.env, limit: '-f 8', into }).ended;
    aws.close();
    expect(err).toMatch(
      /^standard output cannot be written to \(EFBIG\)\. Something that was printed is missing from it\.\n3,000 rows from /,
    );
    expect(code).toBe(1);
    const lines = ['n', ...Array.from({ length: 3_000 }, (_, n) => String(n))].join('\n');
    const written = readFileSync(into, 'utf8');
    expect(written.length).toBeGreaterThan(1_000);
    expect(lines.startsWith(written)).toBe(true);
  });

  const denied = error('AccessDeniedException', 'no logs:StartQuery');
  test.each<[message: string, responses: Responses]>([
    ['The query ended without a result: Failed.', { GetQueryResults: inTurn(RUNNING, { status: 'Failed' }) }],
    ['The query ended without a result: Timeout.', { GetQueryResults: is({ status: 'Timeout' }) }],
    ['The query was not started: AccessDeniedException: no logs:StartQuery', { StartQuery: denied }],
    [
      'The query may be running, but AWS did not say its id: ServiceUnavailableException: no',
      { StartQuery: error('ServiceUnavailableException', 'no', 503) },
    ],
    [
      'The query is complete, but not all of its rows can be read: AccessDeniedException: no logs:StartQuery',
      { GetQueryResults: ({ nextToken }) => (nextToken ? denied : is({ ...COMPLETE, nextToken: 'more' })) },
    ],
    [
      'The query is complete, but not all of its rows can be read: a page is undefined',
      { GetQueryResults: ({ nextToken }) => is(nextToken ? {} : { ...COMPLETE, nextToken: 'more' }) },
    ],
    [
      'The query is complete, but not all of its rows can be read: a page repeats its token',
      { GetQueryResults: is({ ...COMPLETE, nextToken: 'more' }) },
    ],
    [
      'The query is complete, but not all of its rows can be read: a page repeats its token',
      {
        GetQueryResults: ({ nextToken }) =>
          is({ ...COMPLETE, nextToken: nextToken === 'odd' ? 'even' : 'odd' }),
      },
    ],
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
  ])('fails: %s', async (message, responses) => {
    await expect(run(responses)).rejects.toMatchObject({ name: 'PlainError', message });
  });

  const VALUE = 'must have 1 to 128 letters, digits, dots, dashes and underscores, and be no token.';
  test.each<[message: string, name: string, parameters: Record<string, string>]>([
    ['The query request needs --request.', 'request', {}],
    ['The query errors does not use --name.', 'errors', { name: 'ci' }],
    [`--request ${VALUE}`, 'request', { request: '1" or 1=1' }],
    [`--request ${VALUE}`, 'request', { request: 'plants_0123' }],
  ])('refuses a parameter: %s', (message, name, parameters) => {
    expect(() => filling(name, parameters)).toThrow(new UsageError(message));
  });

  test('a value without a place in the deployed query is refused: all lines would be found', () => {
    expect(() => filling('request', { request: 'a1' })('filter requestId = "{{id}}"')).toThrow(
      "The stage's query request does not use --request; deploy it again.",
    );
  });

  test.each<[message: string, words: string[]]>([
    [`Name the query: --query NAME, which is ${NAMES}.`, ['--stage', 'prod']],
    [`--query must be ${NAMES}.`, ['--stage', 'prod', '--query', 'constructor']],
    ['--hours must be a whole number', [...ERRORS, '--hours', '0']],
    ['The query errors does not use --name.', [...ERRORS, '--name', 'ci']],
    ['The query token needs --name.', ['--stage', 'prod', '--query', 'token']],
  ])('refuses a command before it asks AWS: %s', async (message, words) => {
    vi.stubEnv('AWS_REGION', '');
    await expectRefusal('logs', words, { code: 2, message });
    vi.unstubAllEnvs();
  });

  test.each(['SIGINT', 'SIGHUP'] as const)(
    'fills in the id of a request, and stops the query at %s',
    async (signal) => {
      const asked = Promise.withResolvers<void>();
      const GetQueryResults = () => {
        asked.resolve();
        return is(RUNNING);
      };
      const aws = await startAws({ ...DEPLOYED, GetQueryResults, StopQuery: is({ success: true }) });
      const words = ['--stage', 'prod', '--query', 'request', '--request', '0a-b'];
      const { child, ended } = startCommand('logs', words, { env: aws.env });
      await Promise.race([asked.promise, ended]);
      child.kill(signal);
      const err = 'Nothing is shown: the query was stopped\n';
      expect(await ended).toMatchObject({ code: 1, out: '', err });
      aws.close();
      expect(aws.inputs('StartQuery')).toMatchObject([
        {
          queryString: 'filter message.request = "0a-b" or requestId = "0a-b"',
          logGroupNames: ['function-logs', 'access-logs'],
        },
      ]);
      expect(aws.inputs('StopQuery')).toEqual([{ queryId: 'q-1' }]);
    },
  );
});

test.skipIf(!hasTerminal)('in a terminal, npm run logs shows how many lines it has searched', async () => {
  const aws = await startAws({ ...DEPLOYED, GetQueryResults: inTurn(RUNNING, COMPLETE) });
  const { code, output } = await runInTerminal('logs', ERRORS, { env: aws.env });
  aws.close();
  expect(code).toBe(0);
  expect(output).toContain('1,234 lines searched\r\u001b[2K');
});
