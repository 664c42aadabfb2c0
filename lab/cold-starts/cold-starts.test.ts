import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findStage } from '../../infra/stages.ts';
import {
  error,
  type Fields,
  is,
  type Reply,
  type Responses,
  stack,
  startAws,
  withAws,
} from '../../test/support/aws-stand-in.ts';
import { startCommand } from '../../test/support/local-process.ts';
import { expectRefusal, npmRun } from '../../test/support/run-command.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { LatestVersion } from './latest-version.ts';
import { measure } from './measure.ts';

const DEV = findStage('dev');
const ORIGINAL = {
  Environment: {
    Variables: { PLANTS_TABLE: 'Plants', AWS_LAMBDA_EXEC_WRAPPER: '/var/task/start-script.sh' },
  },
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
function fakeLambda(changes: Responses = {}): { responses: Responses; state: () => Fields } {
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
  const responses: Responses = {
    ...stack('UPDATE_COMPLETE', { BaseUrl: 'https://example.com', AccessTokensTable: 'Tokens' }),
    ListStackResources: is({
      StackResourceSummaries: [
        { LogicalResourceId: 'F', ResourceType: 'AWS::Lambda::Function', PhysicalResourceId: 'plants' },
      ],
    }),
    Scan: () => is({ Items: tokens, Count: tokens.length }),
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
  return { responses, state: () => ({ ...state, tokens }) };
}

const restored = { ...ORIGINAL, tokens: [] };

/** Runs the command in a process of its own, against the fake. */
async function run(changes: Responses = {}, ...words: string[]) {
  const { responses, state } = fakeLambda(changes);
  const aws = await startAws(responses);
  const env = { ...aws.env, AWS_ENDPOINT_URL_DYNAMODB: undefined };
  const ended = await npmRun('../lab/run', ['cold-starts', '--stage', 'dev', ...words], { env });
  aws.close();
  return { ...ended, inputs: aws.inputs, state: state() };
}

/** Uses the function in this process, against the fake, which must fail. */
async function failure(changes: Responses, use: (latest: LatestVersion) => Promise<unknown>) {
  const { responses, state } = fakeLambda(changes);
  const message = await withAws(responses, () =>
    LatestVersion.of(DEV)
      .then(use)
      .then(String, (reason: Error) => reason.message),
  );
  return { message, state: state() };
}

const invoke = (latest: LatestVersion) => latest.invoke({});
const measureOnce = (latest: LatestVersion) => measure(DEV, latest, 1, () => undefined);

test('forces a new process for each request, prints the figures, and restores the function', async () => {
  const file = path.join(temporaryFolder(), 'figures.json');
  const { code, out, err, inputs, state } = await run({}, '--count', '3', '--json', file);
  expect({ code, out: out.replace(/ +/g, ' '), err }).toEqual({
    code: 0,
    out: `1024 MB, arm64, unknown runtime

with the start script, 3 cold starts
ms p50 p90 p99
INIT 190.0 200.5 200.5
first request 35.0 40.0 40.0
sum 225.0 240.5 240.5

without the start script, 3 cold starts
ms p50 p90 p99
INIT 260.0 300.0 300.0
first request 45.0 50.0 50.0
sum 301.5 350.0 350.0
`,
    err: 'The configuration of plants is as before.\n',
  });
  expect(state).toMatchObject(restored);
  const changes = inputs('UpdateFunctionConfiguration');
  const LoggingConfig = { LogFormat: 'JSON', SystemLogLevel: 'INFO', LogGroup: 'group' };
  expect(changes.slice(0, 2)).toEqual([
    {
      FunctionName: 'plants',
      Environment: { Variables: { ...ORIGINAL.Environment.Variables, COLD_START_TRIAL: '1' } },
      LoggingConfig,
      RevisionId: '0',
    },
    {
      FunctionName: 'plants',
      Environment: { Variables: { PLANTS_TABLE: 'Plants', COLD_START_TRIAL: '2' } },
      LoggingConfig,
      RevisionId: '1',
    },
  ]);
  expect(changes).toHaveLength(7);
  const plants = inputs('Invoke').map(({ body }) => Buffer.from(String(body), 'base64').toString());
  expect(new Set(plants).size).toBe(6);
  const { samples } = JSON.parse(readFileSync(file, 'utf8'));
  expect(samples[1]).toEqual({ withScript: false, initMs: 260, requestMs: 41.5 });
});

test('a request that starts no process is told, and not included', async () => {
  const Invoke = () => is({ statusCode: 200 }, log(metrics([undefined, 9])));
  const { code, out, state } = await run({ Invoke }, '--count', '1');
  expect(code).toBe(1);
  expect(out).toContain('2 requests met a process that was already there, and are not included.\n');
  expect(state).toMatchObject(restored);
});

test('Ctrl-C, also twice, restores the function and revokes the token', async () => {
  const { responses, state } = fakeLambda();
  const started = Promise.withResolvers<ReturnType<typeof startCommand>>();
  const { Invoke, UpdateFunctionConfiguration } = responses;
  let updates = 0;
  const aws = await startAws({
    ...responses,
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
  started.resolve(startCommand('../lab/run', ['cold-starts', '--stage', 'dev', '--count', '100'], { env }));
  const { ended } = await started.promise;
  const { code, out, err } = await ended;
  aws.close();
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^(Restoring the function …\n)+Interrupted\.\n$/);
  expect(state()).toMatchObject(restored);
});

const EXIT_126 = { errorType: 'Runtime.ExitError', errorMessage: 'exit status 126' };
const REFUSAL = is({ statusCode: 400, body: '{"error":40102}' });

test.each<[expected: string, Invoke: Reply]>([
  ['A request got 400: {"error":40102}', REFUSAL],
  [
    'The function failed: Runtime.ExitError: exit status 126',
    is(EXIT_126, { 'x-amz-function-error': 'Unhandled' }),
  ],
  ['The log of a request has no platform.report, only: ', is({ statusCode: 200 })],
  ['The function cannot be invoked: AccessDenied: no', error('AccessDenied', 'no', 403)],
])('a request fails: %s', async (expected, Invoke) => {
  const { message } = await failure({ Invoke }, invoke);
  expect(message).toContain(expected);
});

test('after a failure, the function is restored and the token revoked', async () => {
  const { message, state } = await failure({ Invoke: REFUSAL }, measureOnce);
  expect(message).toMatch(/^A request got 400/);
  expect(state).toMatchObject({ ...restored, RevisionId: '2' });
});

test('a function that somebody else changes meanwhile is left to them, with the command that restores it', async () => {
  let calls = 0;
  // A deployment follows the first change at once.
  const UpdateFunctionConfiguration = () => {
    calls += 1;
    return calls === 1 ? is({}) : error('PreconditionFailedException', 'changed', 412);
  };
  const { message } = await failure({ UpdateFunctionConfiguration }, measureOnce);
  expect(message).toMatch(
    /^plants was not restored\. To restore it: aws lambda update-function-configuration --function-name plants --environment '\{"Variables":\{"PLANTS_TABLE":"Plants".*; the reason: /,
  );
});

test.each<[expected: string, changes: Responses]>([
  ['Nothing was changed: the stack is UPDATE_IN_PROGRESS; wait until', stack('UPDATE_IN_PROGRESS')],
  [
    'Nothing was changed: an earlier run left COLD_START_TRIAL in the variables of plants.',
    { GetFunctionConfiguration: is({ Environment: { Variables: { COLD_START_TRIAL: '4' } } }) },
  ],
])('refuses, and changes nothing: %s', async (expected, changes) => {
  const { message, state } = await failure(changes, measureOnce);
  expect(message).toContain(expected);
  expect(state.RevisionId).toBe('0');
});

test('refuses a protected stage', () =>
  expectRefusal('../lab/run', ['cold-starts', '--stage', 'prod', '--count', '3'], {
    code: 1,
    message: 'Stage prod is protected, and 6 plants would be stored; --on-protected allows it.',
  }));
