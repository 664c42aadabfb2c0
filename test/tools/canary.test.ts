import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Stage } from '../../infra/stage-settings.ts';
import { LOCAL_TABLES } from '../../local/tables.ts';
import { deployAndSend } from '../../tools/canary/deploy-and-send.ts';
import { Failures } from '../../tools/canary/failures.ts';
import { FunctionLog } from '../../tools/canary/function-log.ts';
import { sendUntil } from '../../tools/canary/send-until.ts';
import { Traffic } from '../../tools/canary/traffic.ts';
import { deployedStack } from '../../tools/stage/deployed-stack.ts';
import { repeatableChecks } from '../../tools/verify/repeatable-checks.ts';
import {
  type Answers,
  error,
  type Fields,
  is,
  noStack,
  PROD,
  stack,
  startAws,
  withAws,
} from '../support/aws-stand-in.ts';
import { listen } from '../support/listen.ts';
import { startTool } from '../support/local-process.ts';
import { storedItems } from '../support/stored-item.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { runTool } from './run-tool.ts';
import { type NewVersion, startDeployment, startWeightedAlias } from './weighted-alias.ts';

/** Stage prod, which is deployed. */
const stage = await startWeightedAlias();
beforeEach(() => stage.reset());
afterAll(() => stage.close());

/** The names of the tokens that the command has issued and not revoked. */
async function ownTokens(): Promise<unknown[]> {
  const { Items = [] } = await stage.service.client.send(
    new ScanCommand({ TableName: LOCAL_TABLES.accessTokens }),
  );
  return Items.map(({ name }) => name?.S).filter((name) => name === 'verify');
}

const printed: string[] = [];
const watch = () => vi.spyOn(console, 'info').mockImplementation((line) => void printed.push(String(line)));
afterEach(() => {
  printed.length = 0;
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('npm run canary', () => {
  /** Runs the command for a new version. @returns also the words that npm got */
  async function run(newVersion: NewVersion, time: Promise<unknown>, ...words: string[]) {
    const deployment = await startDeployment(stage, newVersion, time);
    const aws = await startAws(stage.answers);
    const env = { ...aws.env, ...deployment.env };
    const ended = await runTool('canary', ['--stage', 'prod', ...words], { env });
    aws.close();
    deployment.close();
    return { ...ended, npm: deployment.words.join(' ') };
  }

  test('shows the alarm a broken version of a quiet stage, which otherwise passes its canary, and is rolled back', async () => {
    const quiet = await startDeployment(stage, 'has the wrong table', pause(100));
    expect(await quiet.deploy()).toBe('deployed');
    quiet.close();

    const { code, out, err, npm } = await run('has the wrong table', stage.arrived(20), '--', '-c', 'x=y');
    expect(npm).toBe('run deploy -- -c stage=prod --progress events -c x=y');
    const lines = out.trim().split('\n');
    expect(lines[0]).toBe(
      'Clients sent fewer than 300 requests in 10 minutes: requests are sent until the deployment is over.',
    );
    expect(lines).toContain('PlantStore-prod rolled back');
    const [failure = ''] = lines.filter((line) => line.includes('50001'));
    expect(failure).toMatch(
      /^\d\d:\d\d:\d\d version 8: [^:]+: \{"error":50001,"message":"[^"]+"\}; request [\w-]{36}$/,
    );
    expect(lines.at(-2)).toMatch(/^\d+ requests: version 7 answered \d+, version 8 answered 1\.$/);
    expect(lines.at(-1)).toBe('The deployment has failed. Failures of the service: 1.');
    expect({ code, err, lines: lines.length }).toEqual({ code: 1, err: '', lines: 5 });
    expect(await ownTokens()).toEqual([]);
  });

  test('ends with 0 if a good version is deployed and every answer is right', async () => {
    const { code, out } = await run('as good', stage.arrived(1));
    // On a slow machine, a request may come just while the alias is moved.
    expect(out).toMatch(/\d requests: version 7 answered \d+(, version 8 answered 1)?\.\n/);
    expect(out).toMatch(/\nThe deployment has succeeded\. Failures of the service: 0\.\n$/);
    expect(code).toBe(0);
  });

  test('at Ctrl-C revokes its token, and ends npm too', async () => {
    const deployment = await startDeployment(stage, 'as good', new Promise(() => undefined));
    const aws = await startAws(stage.answers);
    const env = { ...aws.env, ...deployment.env };
    const { child, ended } = startTool('canary', ['--stage', 'prod'], { env });
    await Promise.race([Promise.all([stage.arrived(1), deployment.asked]), ended]);
    expect(await ownTokens()).toEqual(['verify']);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 1, err: expect.stringMatching(/^Interrupted\.\n/) });
    await deployment.left;
    expect(await ownTokens()).toEqual([]);
    aws.close();
    deployment.close();
  });
});

describe('before a stage is deployed', () => {
  /** Deploys a good version, in this process. @param env variables to change @returns also the words that npm got */
  async function deploy(settings: Stage, answers: Answers, env: NodeJS.ProcessEnv = {}) {
    watch();
    const deployment = await startDeployment(stage, 'as good', Promise.resolve());
    const deployed = withAws({ ...stage.answers, ...answers }, () => deployAndSend(settings, []), {
      ...deployment.env,
      ...env,
    });
    const result = await deployed.catch((error: Error) => error.message);
    deployment.close();
    return { result, printed, npm: deployment.words.join(' '), requests: stage.requests() };
  }
  const CANARY: Stage = { ...PROD, canaryMinutes: 10 };

  test.each([
    ['stage prod has no canary', PROD, {}],
    ['stage prod is not deployed yet', CANARY, { DescribeStacks: noStack() }],
    ['the stack is ROLLBACK_COMPLETE', CANARY, stack('ROLLBACK_COMPLETE')],
  ])('requests that cannot be sent are not needed: %s', async (reason, settings, answers) => {
    expect(await deploy(settings, answers)).toEqual({
      result: true,
      printed: [`No requests are sent: ${reason}.`],
      npm: 'run deploy -- -c stage=prod --progress events',
      requests: 0,
    });
  });

  test('a log that cannot be read is refused, and nothing is deployed', async () => {
    const FilterLogEvents = error('AccessDeniedException', 'no logs:FilterLogEvents');
    expect(await deploy(CANARY, { FilterLogEvents })).toEqual({
      result: 'Nothing was deployed: AccessDeniedException: no logs:FilterLogEvents',
      printed: [],
      npm: '',
      requests: 0,
    });
    expect(await ownTokens()).toEqual([]);
  });

  test('a deployment that succeeds is not good if a request gets no answer meanwhile', async () => {
    const outputs = { BaseUrl: 'http://127.0.0.1:9', AccessTokensTable: LOCAL_TABLES.accessTokens };
    const { result, printed } = await deploy(CANARY, stack('UPDATE_COMPLETE', outputs));
    expect(printed.at(-1)).toMatch(/^The deployment has succeeded\. Failures of the service: [1-9]/);
    expect(result).toBe(false);
  });

  test('a deployment that fails is not good, although no request failed', async () => {
    const PATH = temporaryFolder();
    writeFileSync(path.join(PATH, 'npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const { result, printed } = await deploy(CANARY, {}, { PATH });
    expect(printed.at(-1)).toBe('The deployment has failed. Failures of the service: 0.');
    expect(result).toBe(false);
  });
});

describe('while a stage is deployed', () => {
  /** Those of the store, which the function in this process uses too. */
  const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'local' };
  let token = '';
  beforeAll(async () => {
    ({ token } = await stage.service.admin.issue('verify'));
  });

  /** Sends requests until the deployment is over, with short pauses. @returns the number of failures */
  async function send(
    newVersion: NewVersion,
    over: Promise<unknown>,
    { answers = {}, baseUrl = stage.url }: { answers?: Answers; baseUrl?: string } = {},
  ) {
    watch();
    stage.move(newVersion);
    const controller = new AbortController();
    void over.then(() => controller.abort());
    return withAws(
      { ...stage.answers, ...answers },
      async () => {
        const log = await FunctionLog.of(await deployedStack(PROD));
        const subject = { baseUrl, token, log, traffic: new Traffic(log) };
        return sendUntil(controller.signal, subject, { check: 1, log: 20 });
      },
      CREDENTIALS,
    );
  }

  test('a violation of the contract that is no fault is printed with its version too', async () => {
    expect(await send('answers another tag', stage.arrived(12))).toBe(2);
    const lines = printed.filter((line) => line.includes('"tag":"other"'));
    const line = expect.stringMatching(/^\S+ version 8: .+answered 200 .+; request [\w-]{36}/);
    expect(lines).toEqual([line, line]);
  });

  test('a version that crashes has no log line of its own, and is found by the name of the log stream', async () => {
    expect(await send('crashes', stage.arrived(4))).toBe(1);
    const lines = printed.filter((line) => line.includes('50401'));
    expect(lines).toEqual([expect.stringMatching(/^\S+ version 8, which crashed: .+"error":50401/)]);
    expect(printed.at(-1)).toBe('4 requests: version 7 answered 3, 1 have no log line.');
  });

  test('the same checks are sent again and again, each with the valid token, and create one reserved plant only', async () => {
    const moreThanAll = repeatableChecks().length + 1;
    expect(await send('as good', stage.arrived(moreThanAll))).toBe(0);
    expect(stage.requests()).toBe(moreThanAll);
    const lines = stage.log.map(({ message }) => JSON.parse(message).message);
    expect(new Set(lines.map((line) => line.token))).toEqual(new Set(['verify']));
    expect(new Set(lines.map((line) => line.error))).toEqual(
      new Set([undefined, 40901, 40001, 40002, 41501]),
    );
    expect(lines.filter(({ outcome }) => outcome === 'repeated').length).toBeGreaterThan(100);
    expect([...(await storedItems(stage.service.client)).keys()]).toEqual(['-4611686018427387904']);
  });

  test('a request that gets no answer is a failure of no version', async () => {
    const arrived = Promise.withResolvers<void>();
    const silent = createServer((request) => {
      arrived.resolve();
      request.socket.destroy();
    });
    expect(await send('as good', arrived.promise, { baseUrl: await listen(silent) })).toBe(1);
    silent.close();
    expect(printed[1]).toMatch(/ no version: .+: no answer \(ECONNRESET\)$/);
  });

  test('a stage with its own traffic gets no requests, until its clients stop', async () => {
    const clients = Array.from({ length: 300 }, () => ({
      timestamp: Date.now(),
      logStreamName: 'any',
      message: JSON.stringify({ message: { token: 'shop', request: 'r' } }),
    }));
    const strangers = clients.map((line) => ({ ...line, message: '{"message":{"request":"r"}}' }));
    watch();
    let isDenied = false;
    const FilterLogEvents = (input: Fields) =>
      isDenied ? error('AccessDeniedException', 'expired') : stage.answers.FilterLogEvents(input);
    await withAws({ ...stage.answers, FilterLogEvents }, async () => {
      const log = await FunctionLog.of(await deployedStack(PROD));
      stage.log.push(...strangers, ...clients.slice(1));
      expect(await new Traffic(log).isEnough()).toBe(false);
      stage.log.push(...clients.slice(0, 1));
      const traffic = new Traffic(log);
      expect(await traffic.isEnough()).toBe(true);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59_000 });
      stage.log.length = 0;
      expect(await traffic.isEnough()).toBe(true);
      vi.setSystemTime(Date.now() + 1_000);
      isDenied = true;
      expect(await traffic.isEnough()).toBe(true);
      isDenied = false;
      vi.setSystemTime(Date.now() + 60_000);
      expect(await traffic.isEnough()).toBe(false);
    });
    expect(printed.slice(1)).toEqual([
      'Clients sent at least 300 requests in 10 minutes: enough, so none are sent.',
      'The log cannot be searched for requests of clients: AccessDeniedException: expired',
      'Clients sent fewer than 300 requests in 10 minutes: requests are sent until the deployment is over.',
    ]);
  });

  test('while clients send enough, nothing is sent', async () => {
    const busy = Array.from({ length: 300 }, () => ({ timestamp: Date.now(), message: '{}' }));
    const asked = Promise.withResolvers<void>();
    const FilterLogEvents = ({ filterPattern }: Fields) => {
      asked.resolve();
      return is({ events: String(filterPattern).includes('!=') ? busy : [] });
    };
    const over = asked.promise.then(() => pause(100));
    expect(await send('has the wrong table', over, { answers: { FilterLogEvents } })).toBe(0);
    expect(stage.requests()).toBe(0);
  });

  const denied = { FilterLogEvents: error('ThrottlingException', 'Rate exceeded') };
  test.each<[when: string, answers: Answers, request: string | undefined, by: string]>([
    ['after 30 seconds without a line', {}, 'r-1', 'unknown version (no log line)'],
    [
      'with the reason if the log cannot be read',
      denied,
      'r-1',
      'unknown version (ThrottlingException: Rate exceeded)',
    ],
    ['at once if there was no answer', {}, undefined, 'no version'],
  ])('a failure whose version the log does not say is printed %s', async (_, answers, request, by) => {
    watch();
    await withAws({ ...stage.answers, ...answers }, async () => {
      const failures = new Failures(await FunctionLog.of(await deployedStack(PROD)));
      failures.add({ from: 0, to: 1_000, request, what: 'a rule: one\ntwo' });
      await failures.lookUp(30_000);
      expect(failures.areWaiting).toBe(request !== undefined);
      await failures.lookUp(31_000);
    });
    const id = request === undefined ? '' : `; request ${request}`;
    expect(printed).toEqual([`00:00:00 ${by}: a rule: one two${id}`]);
  });
});
