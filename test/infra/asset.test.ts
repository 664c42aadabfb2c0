import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { BUNDLE } from '../../infra/bundle.ts';
import { ENVIRONMENT } from '../../lambda/environment.ts';
import { formatToken } from '../../lambda/tokens/token-format.ts';
import { Clock } from '../support/clock.ts';
import { startBundle } from '../support/function-under-test.ts';
import { type Script, ScriptedStore } from '../support/scripted-store.ts';
import { exception, KNOWN_TOKEN, ok, taken } from '../support/store-behaviors.ts';
import { itemOf } from '../support/stored-item.ts';
import { plantEvent } from '../support/test-service.ts';
import { PROTECTED } from '../support/test-stages.ts';
import { metricsOf } from './filter-pattern.ts';
import { plain, resource, synthWithAsset } from './synth.ts';

const APP = 'https://app.example.com';
// Of a build that lets nobody else read its files.
const umask = process.umask(0o077);
const { result: synth, asset } = await synthWithAsset({ ...PROTECTED, allowedOrigins: [APP] }).finally(() =>
  process.umask(umask),
);
const TOKEN = formatToken(new Uint8Array(32).fill(3));
/** A token that the function has not looked up before. */
const NEW_TOKEN = formatToken(new Uint8Array(32).fill(4));
const ANY = bodyOf('9007199254740993', WHOLE);

/** Starts the asset with the template's handler and environment. */
async function startAsset(endpoint: string, clock: Clock) {
  const { Handler, Environment } = resource(synth, 'Function').Properties;
  // CloudFormation would replace the logical ids with table names.
  const variables = { ...Environment.Variables, AWS_LAMBDA_FUNCTION_VERSION: '7' };
  for (const name of Object.values(ENVIRONMENT)) vi.stubEnv(name, plain(variables[name]));
  const [module, name] = Handler.split('.');
  // It loads the bundle, and connects first.
  expect(readdirSync(asset)).toContain(`${module}.mjs`);
  try {
    return await startBundle(endpoint, clock, join(asset, BUNDLE), name);
  } finally {
    vi.unstubAllEnvs();
  }
}

const PREFLIGHT = {
  httpMethod: 'OPTIONS',
  headers: { Origin: APP, 'Access-Control-Request-Method': 'POST' },
};
const REPEATED = taken({ Item: itemOf('9007199254740993', WHOLE) });
const THROTTLED = exception('ThrottlingException');
const NO_TABLE = exception('ResourceNotFoundException');

/** Requests, each with the status of its response, or the number of its error, and the metrics in which its line counts. */
const REQUESTS: [event: object, response: number, metrics: string[], script?: Script][] = [
  [plantEvent(TOKEN, ANY), 200, ['Accepted', 'Responses', 'ValidTokens']],
  [plantEvent(TOKEN, ANY), 200, ['Accepted', 'Responses', 'ValidTokens'], { PutItem: [REPEATED] }],
  // The first response is lost, so that this request may have stored the plant that the second attempt finds.
  [
    plantEvent(TOKEN, ANY),
    200,
    ['Accepted', 'Responses', 'Retried', 'ValidTokens'],
    { PutItem: ['hang', REPEATED] },
  ],
  [plantEvent(`${TOKEN.slice(0, -1)}!`, ANY), 40102, ['Refused', 'RefusedTokens', 'Responses']],
  [
    plantEvent(NEW_TOKEN, ANY),
    40102,
    ['Refused', 'RefusedTokens', 'Responses', 'UnknownTokens'],
    { GetItem: [ok({})] },
  ],
  [plantEvent('', undefined, PREFLIGHT), 204, ['Responses']],
  [plantEvent(TOKEN, '{}'), 40002, ['Refused', 'Responses', 'ValidTokens']],
  [
    plantEvent(TOKEN, ANY),
    42901,
    ['Refused', 'Responses', 'Retried', 'Throttled', 'ValidTokens'],
    { PutItem: [THROTTLED] },
  ],
  [plantEvent(TOKEN, ANY), 50001, ['Faults', 'Responses', 'Retried', 'ValidTokens'], { PutItem: [NO_TABLE] }],
  [
    plantEvent(TOKEN, ANY),
    50401,
    ['Responses', 'Retried', 'Unanswered', 'Unavailable', 'ValidTokens'],
    { PutItem: ['hang'] },
  ],
  [plantEvent(NEW_TOKEN, ANY), 50301, ['Responses', 'Retried', 'Unavailable'], { GetItem: ['hang'] }],
];

test('the asset, with the environment of its stack, responds to each request and logs a line that counts in the right metrics', async () => {
  const clock = new Clock();
  const store = await ScriptedStore.start({ clock });
  const running = await startAsset(store.endpoint, clock);
  const responses = [];
  for (const [event, , , script = {}] of REQUESTS) {
    store.play({ GetItem: [KNOWN_TOKEN], ...script });
    const { statusCode, body } = await running.handler(event);
    responses.push(statusCode === 400 ? JSON.parse(body).error : statusCode);
  }
  await store.close();
  expect(responses).toEqual(REQUESTS.map(([, response]) => response));
  // As in Lambda's JSON log format.
  const lines = running.lines.map((message, n) => JSON.stringify({ level: running.levels[n], message }));
  expect(lines.map((line) => metricsOf(synth, 'FunctionLogs', line))).toEqual(
    REQUESTS.map(([, , metrics]) => metrics),
  );
  expect(running.levels).toEqual(REQUESTS.map(([, response]) => (response >= 50_000 ? 'ERROR' : 'INFO')));
  // Before, a failure was logged at the level INFO: such lines of an older version still count.
  const older = running.lines.map((message) => JSON.stringify({ level: 'INFO', message }));
  expect(older.map((line) => metricsOf(synth, 'FunctionLogs', line))).toEqual(
    REQUESTS.map(([, , metrics]) => metrics),
  );
});

// The CDK's archive keeps each file's mode.
test.skipIf(process.platform === 'win32')('everybody may read the function and run its start script', () => {
  const modes = readdirSync(asset).map((name) => [name, statSync(join(asset, name)).mode & 0o777]);
  expect(Object.fromEntries(modes)).toEqual({
    'bundle.cjs': 0o644,
    'init.mjs': 0o644,
    'start-script.sh': 0o755,
  });
});

test('the asset of a plain function is its bundle, and nothing else', async () => {
  const { asset: plainAsset } = await synthWithAsset({ ...PROTECTED, plain: true });
  expect(readdirSync(plainAsset)).toEqual(['bundle.cjs']);
});
