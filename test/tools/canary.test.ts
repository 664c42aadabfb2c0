import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LOCAL_TABLES } from '../../local/tables.ts';
import { Failures } from '../../tools/canary/failures.ts';
import { FunctionLog } from '../../tools/canary/function-log.ts';
import { sendUntil } from '../../tools/canary/send-until.ts';
import { Traffic } from '../../tools/canary/traffic.ts';
import { deployedStack } from '../../tools/stage/deployed-stack.ts';
import {
  type Answers,
  error,
  type Fields,
  is,
  PROD,
  stack,
  startAws,
  withAws,
} from '../support/aws-stand-in.ts';
import { startTool, temporaryFolder } from '../support/local-process.ts';
import { expectRefusal, runTool } from './run-tool.ts';
import { startStopping } from './stopping-service.ts';
import { type NewVersion, startDeployment, startWeightedAlias } from './weighted-alias.ts';

type Alias = Awaited<ReturnType<typeof startWeightedAlias>>;

/** A folder with a program `npm` that asks the stand-in for a deployment, and ends as `cdk deploy` would. */
function folderWithNpm(deployment: string): string {
  const folder = temporaryFolder();
  const program = `fetch('${deployment}', { method: 'POST', body: JSON.stringify(process.argv.slice(2)) })
  .then((answer) => answer.text())
  .then((text) => { console.log('PlantStore-prod', text); process.exitCode = text === 'deployed' ? 0 : 1; });`;
  writeFileSync(path.join(folder, 'npm.cjs'), program);
  // The path of Node may have a space, which the first line of a program cannot have.
  const start = `#!/bin/sh\nexec "${process.execPath}" "$0.cjs" "$@"\n`;
  writeFileSync(path.join(folder, 'npm'), start, { mode: 0o755 });
  return folder;
}

/** Starts stand-ins for AWS and for npm. @returns the environment of `npm run canary` */
async function startAround(alias: Alias, deployment: string, answers: Answers = {}) {
  const aws = await startAws({ ...alias.answers, ...answers });
  const env = {
    ...aws.env,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: alias.service.store.endpoint,
    PATH: `${folderWithNpm(deployment)}${path.delimiter}${process.env.PATH}`,
  };
  return { env, close: aws.close };
}

async function run(alias: Alias, deployment: string, words: readonly string[], answers: Answers = {}) {
  const { env, close } = await startAround(alias, deployment, answers);
  const result = await runTool('canary', words, { env });
  close();
  return result;
}

async function tokenNames({ service }: Alias): Promise<(string | undefined)[]> {
  const { Items = [] } = await service.client.send(new ScanCommand({ TableName: LOCAL_TABLES.accessTokens }));
  return Items.map(({ name }) => name?.S);
}

describe('npm run canary', () => {
  test('shows the alarm a broken version of a quiet stage, which otherwise passes its canary, and is rolled back', async () => {
    const alias = await startWeightedAlias('has the wrong table');
    const quiet = await startDeployment(alias, { seconds: 1 });
    expect(await quiet.deploy()).toBe('deployed');
    quiet.close();

    const deployment = await startDeployment(alias, { seconds: 120 });
    const { code, out, err } = await run(alias, deployment.url, ['--stage', 'prod', '--', '-c', 'x=y']);
    deployment.close();
    expect(deployment.words).toEqual([
      'run',
      'deploy',
      '--',
      '-c',
      'stage=prod',
      '--progress',
      'events',
      '-c',
      'x=y',
    ]);
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
    // The token was revoked.
    expect((await tokenNames(alias)).filter((name) => name === 'verify')).toEqual([]);
    await alias.close();
  });

  test('ends with 0 if a good version is deployed and every answer is right', async () => {
    const alias = await startWeightedAlias('as good');
    const enough = () => alias.requests() >= 3;
    const deployment = await startDeployment(alias, { seconds: 120, enough });
    const { code, out } = await run(alias, deployment.url, ['--stage', 'prod']);
    deployment.close();
    expect(out).toMatch(/\d requests: version 7 answered \d, version 8 answered \d\.\n/);
    expect(out).toMatch(/\nThe deployment has succeeded\. Failures of the service: 0\.\n$/);
    expect(code).toBe(0);
    await alias.close();
  });

  test.each<[reason: string, stage: string, answers: Answers]>([
    ['stage dev has no canary', 'dev', {}],
    [
      'stage prod is not deployed yet',
      'prod',
      { DescribeStacks: error('ValidationError', 'Stack with id PlantStore-prod does not exist') },
    ],
    ['the stack is ROLLBACK_COMPLETE', 'prod', stack('ROLLBACK_COMPLETE')],
  ])('only deploys where no requests can be sent: %s', async (reason, stage, answers) => {
    const alias = await startWeightedAlias('as good');
    const deployment = await startDeployment(alias, { seconds: 0 });
    const { code, out } = await run(alias, deployment.url, ['--stage', stage], answers);
    deployment.close();
    expect(out).toBe(`No requests are sent: ${reason}.\nPlantStore-prod deployed\n`);
    expect(deployment.words).toContain(`stage=${stage}`);
    expect({ code, requests: alias.requests() }).toEqual({ code: 0, requests: 0 });
    await alias.close();
  });

  test('deploys nothing if the log cannot be read', async () => {
    const alias = await startWeightedAlias('as good');
    const deployment = await startDeployment(alias, { seconds: 0 });
    const FilterLogEvents = error('AccessDeniedException', 'no logs:FilterLogEvents');
    const { code, err } = await run(alias, deployment.url, ['--stage', 'prod'], { FilterLogEvents });
    deployment.close();
    expect(err).toBe('Nothing was deployed: AccessDeniedException: no logs:FilterLogEvents\n');
    expect({ code, words: deployment.words }).toEqual({ code: 1, words: [] });
    await alias.close();
  });

  test('at Ctrl-C revokes its token, and ends npm too', async () => {
    const alias = await startWeightedAlias('as good');
    const asked = Promise.withResolvers<boolean>();
    const enough = () => {
      if (alias.requests() > 0) asked.resolve(true);
      return false;
    };
    const deployment = await startDeployment(alias, { seconds: 120, enough });
    const { env, close } = await startAround(alias, deployment.url);
    const { child, ended } = startTool('canary', ['--stage', 'prod'], { env });
    await Promise.race([asked.promise, ended]);
    expect(await tokenNames(alias)).toContain('verify');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 1, err: expect.stringMatching(/^Interrupted\.\n/) });
    await deployment.left;
    expect(await tokenNames(alias)).not.toContain('verify');
    close();
    deployment.close();
    await alias.close();
  });

  test('needs a stage', () =>
    expectRefusal('canary', [], { code: 2, message: 'Name the stage: --stage NAME.' }));
});

describe('while a stage is deployed', () => {
  const printed: string[] = [];
  afterEach(() => {
    printed.length = 0;
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const watch = () => vi.spyOn(console, 'info').mockImplementation((line) => void printed.push(String(line)));

  /** Those of the store, which the function in this process uses too. */
  const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'local' };

  /** Sends requests for 200 ms and until `count` have arrived, with short pauses. @returns the failures, and what was printed */
  async function send(newVersion: NewVersion, count: number, answers: Answers = {}) {
    const alias = await startWeightedAlias(newVersion);
    alias.move(true);
    const { token } = await alias.service.admin.issue('verify');
    const over = new AbortController();
    const lookedAt = Date.now();
    const isEnough = () => alias.requests() >= count && Date.now() - lookedAt > 200;
    const timer = setInterval(() => isEnough() && over.abort(), 5);
    watch();
    const failures = await withAws(
      { ...alias.answers, ...answers },
      async () => {
        const log = await FunctionLog.of(await deployedStack(PROD));
        const traffic = await Traffic.of(log);
        const subject = { baseUrl: alias.url, token, log, traffic };
        return sendUntil(over.signal, subject, { check: 1, log: 20 });
      },
      CREDENTIALS,
    );
    clearInterval(timer);
    await alias.close();
    return { failures, log: alias.log, requests: alias.requests() };
  }

  test('a violation of the contract that is no fault is printed with its version too', async () => {
    const { failures } = await send('answers another tag', 12);
    expect(failures).toBeGreaterThan(0);
    const lines = printed.filter((line) => line.includes('"tag":"other"'));
    expect(lines).toHaveLength(failures);
    for (const line of lines) expect(line).toMatch(/^\S+ version 8: .+answered 200 .+; request [\w-]{36}/);
  });

  test('a version that crashes has no log line of its own, and is found by the name of the log stream', async () => {
    const { failures } = await send('crashes', 7);
    expect(failures).toBeGreaterThan(1);
    const lines = printed.filter((line) => line.includes('50401'));
    expect(lines).toHaveLength(failures);
    for (const line of lines) expect(line).toMatch(/^\S+ version 8, which crashed: .+"error":50401/);
    expect(printed.at(-1)).toMatch(/^\d+ requests: version 7 answered \d+, [2-4] have no log line\.$/);
  });

  test('the same checks are sent again and again, each with the valid token, and create one reserved plant only', async () => {
    const { failures, log, requests } = await send('as good', 600);
    expect(failures).toBe(0);
    const lines = log.map(({ message }) => JSON.parse(message).message);
    expect(requests).toBeGreaterThanOrEqual(600);
    expect(new Set(lines.map(({ token }) => token))).toEqual(new Set(['verify']));
    expect(new Set(lines.map(({ error: number }) => number))).toEqual(
      new Set([undefined, 40901, 40001, 40002, 41501]),
    );
    const created = lines.filter(({ outcome }) => outcome === 'created');
    expect(created.map(({ id }) => id)).toEqual(['-4611686018427387904']);
    expect(lines.filter(({ outcome }) => outcome === 'repeated').length).toBeGreaterThan(100);
  });

  test('a request that gets no answer is a failure of no version', async () => {
    const { close, url, token } = await startStopping();
    watch();
    const alias = await startWeightedAlias('as good');
    const over = new AbortController();
    const timer = setInterval(() => printed.some((line) => line.includes('no version')) && over.abort(), 5);
    const failures = await withAws(
      alias.answers,
      async () => {
        const log = await FunctionLog.of(await deployedStack(PROD));
        const subject = { baseUrl: url, token, log, traffic: await Traffic.of(log) };
        return sendUntil(over.signal, subject, { check: 1, log: 20 });
      },
      CREDENTIALS,
    );
    clearInterval(timer);
    await close();
    await alias.close();
    const lines = printed.filter((line) => / no version: .+: no answer \(ECONNRESET\)$/.test(line));
    expect(lines).toHaveLength(failures);
    expect(failures).toBeGreaterThan(0);
  });

  test('a stage with its own traffic gets no requests, until its clients stop', async () => {
    const alias = await startWeightedAlias('as good');
    const clients = Array.from({ length: 300 }, () => ({
      timestamp: Date.now(),
      logStreamName: 'any',
      message: JSON.stringify({ message: { token: 'shop', request: 'r' } }),
    }));
    const strangers = clients.map((line) => ({ ...line, message: '{"message":{"request":"r"}}' }));
    watch();
    let isDenied = false;
    const FilterLogEvents = (input: Fields) =>
      isDenied ? error('AccessDeniedException', 'expired') : alias.filterLogEvents(input);
    await withAws({ ...alias.answers, FilterLogEvents }, async () => {
      const log = await FunctionLog.of(await deployedStack(PROD));
      alias.log.push(...strangers, ...clients.slice(1));
      expect(await (await Traffic.of(log)).isEnough()).toBe(false);
      alias.log.push(...clients.slice(0, 1));
      const traffic = await Traffic.of(log);
      expect(await traffic.isEnough()).toBe(true);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59_000 });
      alias.log.length = 0;
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
    await alias.close();
  });

  test('while clients send enough, nothing is sent', async () => {
    const busy = Array.from({ length: 300 }, () => ({ timestamp: Date.now(), message: '{}' }));
    const FilterLogEvents = ({ filterPattern }: { filterPattern?: unknown }) =>
      is({ events: String(filterPattern).includes('!=') ? busy : [] });
    expect(await send('has the wrong table', 0, { FilterLogEvents })).toMatchObject({
      failures: 0,
      requests: 0,
    });
  });

  describe('a failure whose version the log does not say', () => {
    const lookUp = async (answers: Answers, request: string | undefined) => {
      watch();
      await withAws({ ...(await answered()), ...answers }, async () => {
        const failures = new Failures(await FunctionLog.of(await deployedStack(PROD)));
        failures.add({ from: 0, to: 1_000, request, what: 'a rule: one\ntwo' });
        await failures.lookUp(30_000);
        if (request !== undefined) expect(printed).toEqual([]);
        await failures.lookUp(31_000);
        expect(failures.areWaiting).toBe(false);
      });
      return printed;
    };
    /** The answers of AWS for an empty log. */
    const answered = async () => {
      const alias = await startWeightedAlias('as good');
      await alias.close();
      return alias.answers;
    };

    test('is printed after 30 seconds without a line', async () => {
      expect(await lookUp({}, 'r-1')).toEqual([
        '00:00:00 unknown version (no log line): a rule: one two; request r-1',
      ]);
    });

    test('is printed with the reason if the log cannot be read', async () => {
      const FilterLogEvents = error('ThrottlingException', 'Rate exceeded');
      expect(await lookUp({ FilterLogEvents }, 'r-1')).toEqual([
        '00:00:00 unknown version (ThrottlingException: Rate exceeded): a rule: one two; request r-1',
      ]);
    });

    test('is printed at once if there was no answer', async () => {
      expect(await lookUp({}, undefined)).toEqual(['00:00:00 no version: a rule: one two']);
    });
  });
});
