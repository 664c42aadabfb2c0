import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bodyOf, PROPERTIES, WHOLE } from '../../contract/examples.ts';
import { idOf } from '../../contract/key.ts';
import { ENTRY } from '../../infra/bundle.ts';
import { formatToken } from '../../lambda/tokens/token-format.ts';
import { metricsOf } from '../../test/infra/filter-pattern.ts';
import { testContract } from '../../test/support/contract-tests.ts';
import { sectionOf } from '../../test/support/runbook.ts';
import { type Script, ScriptedStore } from '../../test/support/scripted-store.ts';
import { taken } from '../../test/support/store-behaviors.ts';
import { itemOf } from '../../test/support/stored-item.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { plantEvent, startTestService } from '../../test/support/test-service.ts';
import { SYNTH, startFunction } from './deployed-function.ts';
import type { ExecutionEnvironment, InvocationResult } from './execution-environment.ts';
import { RUNTIME_CLIENT } from './install-client.ts';

const TOKEN = formatToken(new Uint8Array(32).fill(3));
const EVENT = plantEvent(TOKEN, bodyOf('9007199254740993', WHOLE));
const STORED = [200, WHOLE];
const ITEM = itemOf('9007199254740993', WHOLE);

const started: { stop(): Promise<unknown> }[] = [];
afterAll(async () => {
  for (const each of started) await each.stop();
});

/** Starts the function over a scripted store. */
async function start(script: Script = {}, variables?: Record<string, string | undefined>, isPlain?: boolean) {
  const store = await ScriptedStore.start({ script });
  const environment = await startFunction(store.endpoint, variables, isPlain);
  started.push(environment, { stop: () => store.close() });
  return { store, environment };
}

/** The status and the error number, or the plant. */
function statusAndBody(outcome: InvocationResult): unknown {
  if ('failed' in outcome) return outcome;
  const { error, ...plant } = JSON.parse(outcome.response.body);
  return [outcome.response.statusCode, error ?? plant];
}

/** The lines of the log that are JSON; the stack trace of an error that ended Node is not. */
const lines = ({ log }: ExecutionEnvironment) =>
  log.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));

/** The metrics in which each line of the log counts. */
const counted = ({ log }: ExecutionEnvironment) => log.map((line) => metricsOf(SYNTH, 'FunctionLogs', line));

/** Without the setting `plain`, and with it. */
const WAYS = [
  ['the function', false],
  ['a plain function', true],
] as const;

describe.each(WAYS)("%s under AWS's runtime client conforms to the contract", async (_, isPlain) => {
  const service = await startTestService();
  const environment = await startFunction(service.store.endpoint, {}, isPlain);
  started.push(environment, { stop: () => service.close() });
  await testContract(service, async (event) => {
    const outcome = await environment.invoke(event);
    if ('failed' in outcome) throw new Error(outcome.failed);
    return outcome.response;
  });
});

describe('the log', () => {
  test('each request is one line of JSON that counts in the right metrics', async () => {
    const { environment } = await start();
    expect(statusAndBody(await environment.invoke(EVENT))).toEqual(STORED);
    expect(statusAndBody(await environment.invoke('no HTTP request at all'))).toEqual([400, 40401]);
    expect(lines(environment)[0]).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/),
      level: 'INFO',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      message: {
        outcome: 'created',
        duration: expect.any(Number),
        token: 'ci',
        id: idOf('9007199254740993'),
        request: 'request-1',
        extendedRequestId: 'JKJaXmPLvHcESHA=',
        version: '7',
        coldStart: true,
        // Sampled=1 in the header of the invocation.
        trace: '1-65a1b2c3-0123456789abcdef01234567',
      },
    });
    expect(counted(environment)).toEqual([
      ['Accepted', 'Responses', 'ValidTokens'],
      ['Refused', 'Responses'],
    ]);
    const log = environment.log.join();
    // A number, a truth value or a choice may be in the log for another reason.
    const texts = Object.entries(WHOLE).filter(
      ([name, value]) => typeof value === 'string' && !PROPERTIES[name]?.enum,
    );
    const secrets = [TOKEN, ...texts.map(([, text]) => String(text))];
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });
});

describe.each(WAYS)('the start of %s', (_, isPlain) => {
  test('Node has the flag --expose-gc only if it is plain', async () => {
    const { environment } = await start({}, {}, isPlain);
    expect(statusAndBody(await environment.invoke(EVENT))).toEqual(STORED);
    const flags = ['--max-http-header-size', '81920', '--max-semi-space-size=25', '--max-old-space-size=461'];
    const first = isPlain ? '--expose-gc' : '--min-semi-space-size=4';
    expect(environment.commandLine).toEqual([process.execPath, first, ...flags, RUNTIME_CLIENT]);
  });

  test('INIT calls the store only if it is not plain', async () => {
    const { store, environment } = await start({}, {}, isPlain);
    await environment.initialize();
    expect(store.attempts).toMatchObject({ GetItem: isPlain ? 0 : 1, PutItem: 0 });
  });
});

describe('a function that does not start', () => {
  const bundle = (code: string) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, ENTRY), code);
    return { LAMBDA_TASK_ROOT: folder };
  };
  const SMALL = { AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128' };
  const ENDLESS = 'for (const all = []; ; ) all.push(new Array(1e6).fill(Math.random()));';

  test.each<[reason: string, changes: Record<string, string>, shown: string]>([
    ['its file is missing', { _HANDLER: 'missing.handler' }, 'ImportModuleError'],
    ['its file has no handler', { _HANDLER: 'init.missing' }, 'HandlerNotFoundError'],
    ['its file is not JavaScript', bundle('export const = 1'), 'UserCodeSyntaxError'],
    ['its script is missing', { AWS_LAMBDA_EXEC_WRAPPER: '/missing/start-script.sh' }, 'start-script.sh'],
    ['it uses up its memory', { ...bundle(ENDLESS), ...SMALL }, 'heap out of memory'],
  ])('%s: the log shows it, and the runbook knows it', async (_, changes, shown) => {
    const { environment } = await start({}, changes);
    expect(await environment.invoke(EVENT)).toMatchObject({ failed: expect.stringContaining('Runtime.') });
    expect(environment.log).toContainEqual(expect.stringContaining(shown));
    expect(sectionOf('runbook-alarms', 'FunctionErrors')).toContain(`\`${shown}\``);
    expect(counted(environment).flat()).toEqual([]);
  });
});

test('if the store hangs, INIT logs nothing, and the first request succeeds', async () => {
  const { store, environment } = await start({ GetItem: ['hang'] });
  await environment.initialize();
  expect(store.attempts.GetItem).toBeGreaterThan(0);
  expect(environment.log).toEqual([]);
  store.play({});
  expect(statusAndBody(await environment.invoke(EVENT))).toEqual(STORED);
  expect(counted(environment)).toEqual([['Accepted', 'Responses', 'ValidTokens']]);
});

describe('faults of the store', () => {
  test('a hanging put gets 50401 before the timeout, and the log says so', async () => {
    const { environment } = await start({ PutItem: ['hang'] });
    expect(statusAndBody(await environment.invoke(EVENT))).toEqual([400, 50401]);
    expect(counted(environment)).toEqual([
      ['Responses', 'Retried', 'Unanswered', 'Unavailable', 'ValidTokens'],
    ]);
    expect(lines(environment)).toMatchObject([
      { level: 'ERROR', message: { outcome: 'failed', attempts: 3, fault: 'timeout' } },
    ]);
  });

  test('if the store closed its connections after INIT, or while the function was frozen, the next request succeeds', async () => {
    const { store, environment } = await start();
    await environment.initialize();
    for (let count = 1; count <= 2; count += 1) {
      store.closeConnections();
      expect(statusAndBody(await environment.invoke(EVENT))).toEqual(STORED);
    }
    const coldStarts = lines(environment).map(({ message }) => message.coldStart);
    expect(coldStarts).toEqual([true, undefined]);
  });
});

describe('the end of the process', () => {
  test('if a variable is missing, each invocation fails while the process starts, with the reason in the log', async () => {
    const { environment } = await start({}, { ACCESS_TOKENS_TABLE: undefined });
    const errorMessage = 'The environment variable ACCESS_TOKENS_TABLE is not set.';
    const reason = { level: 'ERROR', message: { errorType: 'Error', errorMessage } };
    for (let count = 1; count <= 2; count += 1) {
      expect(await environment.invoke(EVENT)).toEqual({ failed: 'Error' });
      expect(lines(environment)).toMatchObject(Array(count).fill(reason));
    }
    expect(counted(environment).flat()).toEqual([]);
  });

  test('if the process is killed after the plant is stored, nothing is logged, and a new one responds to a repeat', async () => {
    const stored = Promise.withResolvers<void>();
    // The function is busy, so it can neither respond early nor notice the end.
    const stall = () => {
      environment.signal('SIGSTOP');
      stored.resolve();
    };
    const { environment } = await start({ PutItem: [stall, taken({ Item: ITEM })] });
    const outcome = environment.invoke(EVENT);
    await stored.promise;
    environment.signal('SIGKILL');
    expect(await outcome).toEqual({ failed: 'Runtime.ExitError' });
    expect(environment.log).toEqual([]);
    expect(statusAndBody(await environment.invoke(EVENT))).toEqual(STORED);
    const messages = lines(environment).map(({ message }) => message);
    expect(messages).toMatchObject([{ outcome: 'repeated', coldStart: true }]);
  });
});
