import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { formatToken } from '../../lambda/request/token-format.ts';
import { type Act, exception, ok } from '../support/acts.ts';
import { startProcess } from '../support/function-under-test.ts';
import { type Script, ScriptedStore } from '../support/scripted-store.ts';
import { plantEvent } from '../support/test-service.ts';
import { metricsOf } from './filter-pattern.ts';
import { only, PROTECTED, synthWithAsset } from './synth.ts';

const APP = 'https://app.example.com';
const { result: synth, asset } = synthWithAsset({ ...PROTECTED, allowedOrigins: [APP] });
const TOKEN = formatToken(new Uint8Array(32).fill(3));
const ROSE = '{"id":9007199254740993,"name":"Rose","tag":"flower"}';

const counted = (line: string) => metricsOf(synth, 'FunctionLogs', line);

afterAll(() => rmSync(dirname(asset), { recursive: true }));

/** Starts the asset with the template's handler, time-out and environment; only the store differs from AWS. */
function startAsset(endpoint: string) {
  const { Handler, Timeout, Environment } = only(synth, 'AWS::Lambda::Function').Properties;
  const [module, name] = Handler.split('.');
  // CloudFormation would replace the logical ids by table names.
  const variables = Object.entries<string | { Ref: string }>(Environment.Variables).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : value.Ref,
  ]);
  return startProcess(
    { file: join(asset, `${module}.cjs`), name, timeoutMs: Timeout * 1_000 },
    {
      ...Object.fromEntries(variables),
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_LAMBDA_FUNCTION_VERSION: '7',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
  );
}

/** Sends events to the asset over a scripted store; returns the answers and the log lines. */
async function answersTo(script: Script, events: object[]) {
  const store = await ScriptedStore.start({ script });
  const running = await startAsset(store.endpoint);
  store.clock = running;
  const answers = [];
  for (const event of events) {
    const { statusCode, body } = await running.invoke(event);
    answers.push([statusCode, body && (JSON.parse(body).error ?? body)]);
  }
  await running.stop();
  await store.close();
  return { answers, lines: running.lines };
}

describe('the asset, run as Lambda runs it', () => {
  test('it answers, logs one line for each request, and each line counts in the right metrics', async () => {
    const created = ok({});
    const repeated = ok({ Attributes: { id: { N: '1' }, name: { S: 'Rose' } } });
    const { answers, lines } = await answersTo({ PutItem: [created, repeated] }, [
      plantEvent(TOKEN, ROSE),
      plantEvent(TOKEN, ROSE),
      plantEvent(TOKEN, '{}'),
      plantEvent(`${TOKEN.slice(0, -1)}!`, ROSE),
      { ...plantEvent(TOKEN, ''), httpMethod: 'GET', resource: '/{proxy+}', path: '/plants/7' },
      plantEvent('', undefined, {
        httpMethod: 'OPTIONS',
        headers: { Origin: APP, 'Access-Control-Request-Method': 'POST' },
      }),
    ]);
    expect(answers).toEqual([
      [200, '{"name":"Rose","tag":"flower"}'],
      [200, '{"name":"Rose","tag":"flower"}'],
      [400, 40002],
      [400, 40102],
      [400, 40401],
      [204, ''],
    ]);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      timestamp: expect.any(String),
      level: 'INFO',
      requestId: expect.stringMatching(/^lambda-/),
      message: {
        outcome: 'created',
        duration: expect.any(Number),
        token: 'ci',
        id: '9007199254740993',
        request: expect.any(String),
        version: '7',
        coldStart: true,
      },
    });
    expect(lines.map(counted)).toEqual([
      ['Answered', 'Created'],
      ['Answered', 'Created'],
      ['Answered'],
      ['Answered', 'RefusedTokens'],
      ['Answered'],
      ['Answered'],
    ]);
  });

  const throttled = exception('ThrottlingException');
  const noTable = exception('ResourceNotFoundException');
  test.concurrent.each<[operation: 'GetItem' | 'PutItem', fault: Act, error: number, metric: string]>([
    ['GetItem', 'hang', 50301, 'Unavailable'],
    ['PutItem', 'hang', 50401, 'Faults'],
    ['GetItem', throttled, 42901, 'Throttled'],
    ['PutItem', throttled, 42901, 'Throttled'],
    ['PutItem', noTable, 50001, 'Faults'],
  ])('%s, %j: %i, counted as %s', async (operation, fault, error, metric) => {
    const { answers, lines } = await answersTo({ [operation]: [fault] }, [plantEvent(TOKEN, ROSE)]);
    expect(answers).toEqual([[400, error]]);
    expect(lines.map(counted)).toEqual([['Answered', metric].sort()]);
  });

  test('the lines that Lambda writes about a crash count in no metric, so that the request counts as not completed', () => {
    const crash = { level: 'ERROR', requestId: 'r', message: { errorType: 'Error', errorMessage: 'x' } };
    const report = { time: 't', type: 'platform.report', record: { status: 'timeout', error: 50401 } };
    expect([crash, report].map((line) => counted(JSON.stringify(line)))).toEqual([[], []]);
  });
});
