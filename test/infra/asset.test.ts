import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatToken } from '../../lambda/request/token-format.ts';
import { exception, KNOWN_TOKEN, ok } from '../support/acts.ts';
import { startProcess } from '../support/function-under-test.ts';
import { type Script, ScriptedStore } from '../support/scripted-store.ts';
import { plantEvent } from '../support/test-service.ts';
import { metricsOf } from './filter-pattern.ts';
import { only, PROTECTED, synthWithAsset, textOf } from './synth.ts';

const APP = 'https://app.example.com';
const { result: synth, asset } = synthWithAsset({ ...PROTECTED, allowedOrigins: [APP] });
const TOKEN = formatToken(new Uint8Array(32).fill(3));
/** A token that the function has not looked up before. */
const NEW_TOKEN = formatToken(new Uint8Array(32).fill(4));
const ROSE = '{"id":9007199254740993,"name":"Rose","tag":"flower"}';

/** Starts the asset with the template's handler, timeout and environment; only the store differs from AWS. */
function startAsset(endpoint: string) {
  const { Handler, Timeout, Environment } = only(synth, 'AWS::Lambda::Function').Properties;
  const [module, name] = Handler.split('.');
  // CloudFormation would replace the logical ids with table names.
  const variables = Object.entries(Environment.Variables).map(([key, value]) => [key, textOf(value)]);
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

const PREFLIGHT = {
  httpMethod: 'OPTIONS',
  headers: { Origin: APP, 'Access-Control-Request-Method': 'POST' },
};
const REPEATED = ok({ Attributes: { id: { N: '1' }, name: { S: 'Rose' } } });
const THROTTLED = exception('ThrottlingException');
const NO_TABLE = exception('ResourceNotFoundException');

/** Requests, each with the status of its answer, or the number of its error, and the metrics in which its line counts. */
const REQUESTS: [event: object, answer: number, metrics: string[], script?: Script][] = [
  [plantEvent(TOKEN, ROSE), 200, ['Accepted', 'Answered']],
  [plantEvent(TOKEN, ROSE), 200, ['Accepted', 'Answered'], { PutItem: [REPEATED] }],
  [plantEvent(`${TOKEN.slice(0, -1)}!`, ROSE), 40102, ['Answered', 'RefusedTokens']],
  [plantEvent('', undefined, PREFLIGHT), 204, ['Answered']],
  [plantEvent(TOKEN, ROSE), 42901, ['Answered', 'Throttled'], { PutItem: [THROTTLED] }],
  [plantEvent(TOKEN, ROSE), 50001, ['Answered', 'Faults'], { PutItem: [NO_TABLE] }],
  [plantEvent(TOKEN, ROSE), 50401, ['Answered', 'Faults'], { PutItem: ['hang'] }],
  [plantEvent(NEW_TOKEN, ROSE), 50301, ['Answered', 'Unavailable'], { GetItem: ['hang'] }],
];

test('the asset, run as in Lambda, answers each request and logs a line that counts in the right metrics', async () => {
  const store = await ScriptedStore.start();
  const running = await startAsset(store.endpoint);
  store.clock = running;
  const answers = [];
  for (const [event, , , script = {}] of REQUESTS) {
    await store.play({ GetItem: [KNOWN_TOKEN], ...script });
    const { statusCode, body } = await running.invoke(event);
    answers.push(statusCode === 400 ? JSON.parse(body).error : statusCode);
  }
  await running.stop();
  await store.close();
  expect(answers).toEqual(REQUESTS.map(([, answer]) => answer));
  expect(running.lines.map((line) => metricsOf(synth, 'FunctionLogs', line))).toEqual(
    REQUESTS.map(([, , metrics]) => metrics),
  );
  expect(JSON.parse(running.lines[0] ?? '')).toEqual({
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
});
