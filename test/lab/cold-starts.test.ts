import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Answers,
  error,
  type Fields,
  is,
  type Reply,
  stack,
  startAws,
} from '../support/aws-stand-in.ts';
import { startTool } from '../support/local-process.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { runTool } from '../tools/run-tool.ts';

const ORIGINAL = {
  Environment: { Variables: { PLANTS_TABLE: 'Plants', AWS_LAMBDA_EXEC_WRAPPER: '/var/task/start.sh' } },
  LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN', LogGroup: 'group' },
};
/** INIT and the request, in milliseconds, of each cold start in turn: with the script, without it. */
const TIMES = [
  [200.5, 40],
  [260, 41.5],
  [180, 30],
  [300, 50],
  [190, 35],
  [250, 45],
] as const;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const metrics = ([initDurationMs, durationMs]: readonly [number | undefined, number]) =>
  JSON.stringify({
    time: '2026-11-22T07:00:00.000Z',
    type: 'platform.report',
    record: {
      requestId: 'r',
      metrics: { durationMs, billedDurationMs: 300, initDurationMs },
      status: 'success',
    },
  });
const log = (...lines: string[]) => ({ 'x-amz-log-result': base64(`cut off"}\n${lines.join('\n')}\n`) });

/** Lambda with one function: each change takes a moment, and the next request then starts a process. */
function fakeLambda(changes: Answers = {}): { answers: Answers; state: () => Fields } {
  let state: Fields = {
    ...ORIGINAL,
    RevisionId: '0',
    CodeSha256: 'code',
    MemorySize: 1024,
    Architectures: ['arm64'],
  };
  let isBusy = false;
  let isCold = false;
  let requests = 0;
  const tokens: Fields[] = [];
  const answers: Answers = {
    ...stack('UPDATE_COMPLETE', { BaseUrl: 'https://example.com', AccessTokensTable: 'Tokens' }),
    ListStackResources: is({
      StackResourceSummaries: [
        { LogicalResourceId: 'F', ResourceType: 'AWS::Lambda::Function', PhysicalResourceId: 'plants' },
      ],
    }),
    Scan: () => is({ Items: tokens }),
    PutItem: ({ Item }) => {
      tokens.push(Item as Fields);
      return is({});
    },
    DeleteItem: () => {
      tokens.pop();
      return is({});
    },
    GetFunctionConfiguration: () => {
      const now = { ...state, LastUpdateStatus: isBusy ? 'InProgress' : 'Successful' };
      isBusy = false;
      return is(now);
    },
    UpdateFunctionConfiguration: ({ FunctionName, RevisionId, ...change }) => {
      if (RevisionId !== state.RevisionId) return error('PreconditionFailedException', 'changed', 412);
      state = { ...state, ...change, RevisionId: `${Number(RevisionId) + 1}` };
      [isBusy, isCold] = [true, true];
      return is(state);
    },
    Invoke: () => {
      const times = TIMES[requests] ?? [0, 0];
      requests += 1;
      const line = metrics(isCold ? times : [undefined, times[1]]);
      isCold = false;
      return is({ statusCode: 200, body: '{}' }, log('{"level":"INFO"}', line, ''));
    },
    ...changes,
  };
  return { answers, state: () => ({ ...state, tokens }) };
}

/** Runs the command against the fake. */
async function run(changes: Answers = {}, words: string[] = [], stage = 'dev') {
  const { answers, state } = fakeLambda(changes);
  const aws = await startAws(answers);
  const args = ['cold-starts', '--stage', stage, '--count', '3', ...words];
  const ended = await runTool('../lab/run', args, {
    env: { ...aws.env, AWS_ENDPOINT_URL_DYNAMODB: undefined },
  });
  aws.close();
  const inputs = (operation: string) =>
    aws.calls.filter((call) => call.operation === operation).map(({ input }) => input);
  return { ...ended, inputs, state: state() };
}

const restored = { ...ORIGINAL, tokens: [] };

describe('npm run lab -- cold-starts', () => {
  test('forces a new process for each request, prints the figures, and restores the function', async () => {
    const file = path.join(temporaryFolder(), 'figures.json');
    const { code, out, err, inputs, state } = await run({}, ['--json', file]);
    const figures = out.replace(/round trip.*/g, 'round trip').replace(/ +/g, ' ');
    expect({ code, figures, err }).toEqual({
      code: 0,
      figures: `1024 MB, arm64, unknown runtime

with the start script, 3 cold starts
ms p50 p90 p99
INIT 190.0 200.5 200.5
first request 35.0 40.0 40.0
sum 225.0 240.5 240.5
round trip

without the start script, 3 cold starts
ms p50 p90 p99
INIT 260.0 300.0 300.0
first request 45.0 50.0 50.0
sum 301.5 350.0 350.0
round trip
`,
      err: 'The configuration of plants is as before.\n',
    });
    expect(state).toMatchObject(restored);
    const changes = inputs('UpdateFunctionConfiguration');
    expect(changes.slice(0, 2)).toEqual([
      {
        FunctionName: 'plants',
        Environment: {
          Variables: {
            PLANTS_TABLE: 'Plants',
            AWS_LAMBDA_EXEC_WRAPPER: '/var/task/start.sh',
            COLD_START_TRIAL: '1',
          },
        },
        LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'INFO', LogGroup: 'group' },
        RevisionId: '0',
      },
      {
        FunctionName: 'plants',
        Environment: { Variables: { PLANTS_TABLE: 'Plants', COLD_START_TRIAL: '2' } },
        LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'INFO', LogGroup: 'group' },
        RevisionId: '1',
      },
    ]);
    expect(changes).toHaveLength(7);
    const plants = inputs('Invoke').map(({ body }) => Buffer.from(String(body), 'base64').toString());
    expect(new Set(plants).size).toBe(6);
    const { samples } = JSON.parse(readFileSync(file, 'utf8'));
    expect(samples[1]).toEqual({
      withScript: false,
      initMs: 260,
      requestMs: 41.5,
      roundTripMs: expect.any(Number),
    });
  });

  test('a request that starts no process is told, and not included', async () => {
    const Invoke = () => is({ statusCode: 200 }, log(metrics([undefined, 9])));
    const { code, out, state } = await run({ Invoke });
    expect(code).toBe(1);
    expect(out).toContain('6 requests met a process that was already there, and are not included.\n');
    expect(state).toMatchObject(restored);
  });

  test.each<[expected: string, changes: Answers]>([
    [
      'A request was answered with 400: {"error":40102}',
      { Invoke: is({ statusCode: 400, body: '{"error":40102}' }) },
    ],
    [
      'The function failed: Runtime.ExitError: exit status 126',
      {
        Invoke: is(
          { errorType: 'Runtime.ExitError', errorMessage: 'exit status 126' },
          { 'x-amz-function-error': 'Unhandled' },
        ),
      },
    ],
    ['The log of a request has no platform.report, only: ', { Invoke: is({ statusCode: 200 }) }],
    ['The function cannot be invoked: AccessDenied: no', { Invoke: error('AccessDenied', 'no', 403) }],
  ])('after a failure, the function is restored: %s', async (message, changes) => {
    const { code, out, err, state } = await run(changes);
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(message) });
    expect(state).toMatchObject(restored);
  });

  test('Ctrl-C, also twice, restores the function and revokes the token', async () => {
    const { answers, state } = fakeLambda();
    const started = Promise.withResolvers<ReturnType<typeof startTool>>();
    const { Invoke, UpdateFunctionConfiguration } = answers;
    let updates = 0;
    const aws = await startAws({
      ...answers,
      Invoke: (input) => {
        void started.promise.then(({ child }) => child.kill('SIGINT'));
        return (Invoke as (input: Fields) => Reply)(input);
      },
      UpdateFunctionConfiguration: (input) => {
        updates += 1;
        if (updates === 2) void started.promise.then(({ child }) => child.kill('SIGINT'));
        return (UpdateFunctionConfiguration as (input: Fields) => Reply)(input);
      },
    });
    const env = { ...aws.env, AWS_ENDPOINT_URL_DYNAMODB: undefined };
    started.resolve(startTool('../lab/run', ['cold-starts', '--stage', 'dev', '--count', '100'], { env }));
    const { ended } = await started.promise;
    const { code, out, err } = await ended;
    aws.close();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^(Restoring the function …\n)+Interrupted\.\n$/);
    expect(state()).toMatchObject(restored);
  });

  test('a function that somebody else changes meanwhile is left to them, with the command that restores it', async () => {
    let calls = 0;
    // A deployment follows the first change at once.
    const UpdateFunctionConfiguration = () => {
      calls += 1;
      return calls === 1 ? is({}) : error('PreconditionFailedException', 'changed', 412);
    };
    const { code, err } = await run({ UpdateFunctionConfiguration });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^plants was not restored\. To restore it: aws lambda update-function-configuration --function-name plants --environment '\{"Variables":\{"PLANTS_TABLE":"Plants".*; the reason: /,
    );
  });

  test.each<[expected: string, code: number, stage: string, changes: Answers]>([
    ['Stage prod is protected, and 6 plants would be stored; --on-protected allows it.', 1, 'prod', {}],
    [
      'Nothing was changed: the stack is UPDATE_IN_PROGRESS; wait until',
      1,
      'dev',
      stack('UPDATE_IN_PROGRESS'),
    ],
    [
      'Nothing was changed: an earlier run left COLD_START_TRIAL in the variables of plants.',
      1,
      'dev',
      { GetFunctionConfiguration: is({ Environment: { Variables: { COLD_START_TRIAL: '4' } } }) },
    ],
    ['Unknown stage "none"', 2, 'none', {}],
  ])('refuses, and changes nothing: %s', async (message, code, stage, changes) => {
    const ended = await run(changes, [], stage);
    expect(ended).toMatchObject({ code, out: '', err: expect.stringContaining(message) });
    expect(ended.inputs('UpdateFunctionConfiguration')).toEqual([]);
  });
});
