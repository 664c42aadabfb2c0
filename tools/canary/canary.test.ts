import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Stage } from '../../infra/stage-settings.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import {
  error,
  is,
  noStack,
  PROD,
  type Reply,
  type Responses,
  stack,
  startAws,
  withAws,
} from '../../test/support/aws-stand-in.ts';
import { someOf } from '../../test/support/exhaustive.ts';
import { listen } from '../../test/support/listen.ts';
import { startCommand } from '../../test/support/local-process.ts';
import { mustEnd } from '../../test/support/must-end.ts';
import { npmRun, runHere } from '../../test/support/run-command.ts';
import { storedItems } from '../../test/support/stored-item.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { repeatableChecks } from '../verify/repeatable-checks.ts';
import { deployAndSend } from './deploy-and-send.ts';
import { sendUntil } from './send-until.ts';
import { deployedAt, type NewVersion, startDeployment, startWeightedAlias } from './weighted-alias.ts';

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
});

describe('npm run canary', () => {
  test('prints each failure of the new version with the command that finds its cause, and fails as the deployment does', async () => {
    const deployment = await startDeployment(stage, 'crashes', stage.arrived(5));
    const aws = await startAws(stage.responses);
    const env = { ...aws.env, ...deployment.env };
    const ended = await npmRun('canary', ['--stage', 'prod', '--', '-c', 'x=y'], { env });
    aws.close();
    deployment.close();
    expect(deployment.cdk()).toBe('deploy --require-approval never -c stage=prod --progress events -c x=y');
    const out = expect.stringMatching(
      /^\d\d:\d\d:\d\d request ([\w-]{36}): [^:]+: {"error":50401,"message":"[^"]+"}\n {2}npm run logs -- --stage prod --query request --request \1\nPlantStore-prod rolled back\nThe deployment has failed\. Requests: \d+; failures: 1\.\n$/,
    );
    expect(ended).toMatchObject({ code: 1, out, err: '' });
    expect(await ownTokens()).toEqual([]);
  });

  test('ends with 0 if a good version is deployed and every response is right', async () => {
    const deployment = await startDeployment(stage, 'as good', stage.arrived(1));
    const command = () => runHere('canary', ['--stage', 'prod']);
    const { code, out } = await withAws(stage.responses, command, deployment.env);
    deployment.close();
    expect(out).toMatch(/ Requests: [1-9]\d*; failures: 0\.\n$/);
    expect(code).toBe(0);
  });
});

describe('Ctrl-C', () => {
  /** Interrupts the command, whose canary does not end. @param when resolves at the moment for it */
  async function interrupt(
    name: string,
    responses: Responses,
    when: (asked: Promise<void>) => Promise<void>,
    variables: NodeJS.ProcessEnv = {},
  ) {
    const deployment = await startDeployment(stage, 'as good', new Promise(() => undefined));
    const aws = await startAws({ ...stage.responses, ...responses });
    const env = { ...aws.env, ...deployment.env, ...variables };
    const { child, ended } = startCommand('canary', ['--stage', name], { env });
    await Promise.race([when(deployment.asked), ended]);
    child.kill('SIGINT');
    const kill = () => child.kill('SIGKILL');
    const { code, err } = await mustEnd(ended, () => 'npm run canary', kill);
    if (deployment.cdk() !== '') await mustEnd(deployment.left, () => 'cdk deploy');
    aws.close();
    deployment.close();
    return { code, err, cdk: deployment.cdk() };
  }

  const EARLY = [
    ['to store a token', 'PutItem', 1],
    ['whether the stage is deployed', 'DescribeStacks', 1],
    ['for its address', 'DescribeStacks', 2],
    ['for its tokens', 'Scan', 1],
  ] as const;
  test.each(someOf(EARLY, 'moments of a Ctrl-C before npm run canary deploys'))(
    'while AWS is asked %s: nothing is deployed',
    async (_, operation, call) => {
      const arrived = Promise.withResolvers<void>();
      const table: Responses = { Scan: is({ Items: [], Count: 0 }), PutItem: is({}), DeleteItem: is({}) };
      const replies: Responses = { ...stage.responses, ...table };
      let calls = 0;
      const slow = async (): Promise<Reply> => {
        calls += 1;
        if (calls === call) {
          arrived.resolve();
          await pause(500);
        }
        return replies[operation] as Reply;
      };
      // The table, too, is a stand-in.
      const env = { AWS_ENDPOINT_URL_DYNAMODB: undefined };
      const ended = await interrupt('prod', { ...table, [operation]: slow }, () => arrived.promise, env);
      expect(ended.code).not.toBe(0);
      expect(ended.cdk).toBe('');
    },
  );

  test('during the deployment: the CDK is stopped, the token revoked, and the state of the stack printed', async () => {
    let status = 'UPDATE_COMPLETE';
    const during = async (asked: Promise<void>) => {
      await Promise.all([stage.arrived(1), asked]);
      expect(await ownTokens()).toEqual(['verify']);
      status = 'UPDATE_IN_PROGRESS';
    };
    const DescribeStacks = () => deployedAt(stage.url, status).DescribeStacks;
    expect(await interrupt('prod', { DescribeStacks }, during)).toEqual({
      code: 1,
      err:
        'Interrupted: cdk deploy had started and has ended. What CloudFormation has begun goes on: the stack PlantStore-prod is ' +
        'now UPDATE_IN_PROGRESS. npm run doctor -- --stage prod shows its state, docs/deploy.md#roll-back-a-deployment how to stop it.\n',
      cdk: expect.stringContaining('stage=prod'),
    });
    expect(await ownTokens()).toEqual([]);
  });

  test.each<[what: string, reply: Reply, state: string]>([
    ['that does not exist', noStack('PlantStore-dev'), 'does not exist'],
    [
      'that cannot be looked up',
      error('ExpiredToken', 'The token is expired'),
      'could not be looked up (ExpiredToken: The token is expired)',
    ],
  ])('during a deployment without requests, of a stack %s', async (_, DescribeStacks, state) => {
    const { code, err, cdk } = await interrupt('dev', { DescribeStacks }, (asked) => asked);
    expect(cdk).toContain('stage=dev');
    expect(err).toContain(`goes on: the stack PlantStore-dev ${state}. npm run doctor -- --stage dev shows`);
    expect(code).toBe(1);
  });
});

describe('before a stage is deployed', () => {
  /** Deploys a good version, in this process. @param env variables to change @returns also the words that the CDK got */
  async function deploy(settings: Stage, responses: Responses, env: NodeJS.ProcessEnv = {}) {
    watch();
    const deployment = await startDeployment(stage, 'as good', Promise.resolve());
    const work = () => deployAndSend(settings, []).catch((error: Error) => error.message);
    const result = await withAws({ ...stage.responses, ...responses }, work, { ...deployment.env, ...env });
    deployment.close();
    return { result, printed, cdk: deployment.cdk(), requests: stage.requests() };
  }
  const CANARY: Stage = { ...PROD, canaryMinutes: 10 };

  test.each([
    ['stage prod has no canary', PROD, {}],
    ['stage prod is not deployed yet', CANARY, { DescribeStacks: noStack() }],
    ['the stack is ROLLBACK_COMPLETE', CANARY, stack('ROLLBACK_COMPLETE')],
  ])('requests that cannot be sent are not needed: %s', async (reason, settings, responses) => {
    expect(await deploy(settings, responses)).toEqual({
      result: true,
      printed: [`No requests are sent: ${reason}.`],
      cdk: 'deploy --require-approval never -c stage=prod --progress events',
      requests: 0,
    });
  });

  test('a stage that cannot be looked up is refused, and nothing is deployed', async () => {
    const DescribeStacks = error('AccessDeniedException', 'no cloudformation:DescribeStacks');
    expect(await deploy(CANARY, { DescribeStacks })).toEqual({
      result: 'Nothing was deployed: AccessDeniedException: no cloudformation:DescribeStacks',
      printed: [],
      cdk: '',
      requests: 0,
    });
  });

  test.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'])(
    'a deployment from %s that succeeds is not good if a request gets no response meanwhile',
    async (status) => {
      const { result, printed } = await deploy(CANARY, deployedAt('http://127.0.0.1:9', status));
      expect(printed[0]).toMatch(/^\d\d:\d\d:\d\d [^:]+: no response \(ECONNREFUSED\)$/);
      expect(printed.at(-1)).toMatch(/ failures: [1-9]/);
      expect(result).toBe(false);
    },
  );

  test('a deployment that fails is not good, although no request failed', async () => {
    const PATH = temporaryFolder();
    writeFileSync(path.join(PATH, 'cdk'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const { result, printed } = await deploy(CANARY, {}, { PATH });
    expect(printed.at(-1)).toMatch(/ failures: 0\.$/);
    expect(result).toBe(false);
  });
});

describe('while a stage is deployed', () => {
  let token = '';
  beforeAll(async () => {
    ({ token } = await stage.service.admin.issue('verify'));
  });

  /** Sends requests until the deployment is over, with short pauses. */
  async function send(newVersion: NewVersion, over: Promise<unknown>, baseUrl = stage.url) {
    watch();
    stage.move(newVersion);
    const controller = new AbortController();
    void over.then(() => controller.abort());
    return sendUntil(controller.signal, { stage: 'prod', baseUrl, token }, 1);
  }

  test('a version that responds to another tag is a failure, with the command that finds its cause', async () => {
    // How many of the first cases have a tag is for contract/cases.yaml to say.
    const { sent, failed } = await send('responds to another tag', stage.arrived(30));
    expect(sent).toBe(30);
    expect(failed).toBeGreaterThan(1);
    const lines =
      /^\d\d:\d\d:\d\d request ([\w-]{36}): .+"tag":"other".+\n {2}npm run logs -- --stage prod --query request --request \1$/;
    expect(printed).toEqual(Array(failed).fill(expect.stringMatching(lines)));
  });

  test('the same checks are sent again and again, each with the valid token, and create one reserved plant only', async () => {
    const moreThanAll = repeatableChecks().length + 1;
    expect(await send('as good', stage.arrived(moreThanAll))).toEqual({ sent: moreThanAll, failed: 0 });
    expect(stage.requests()).toBe(moreThanAll);
    const { lines } = stage.service;
    expect(new Set(lines.map((line) => line.token))).toEqual(new Set(['verify']));
    expect(new Set(lines.map((line) => line.error))).toEqual(
      new Set([undefined, 40901, 40001, 40002, 41501]),
    );
    expect(lines.filter(({ outcome }) => outcome === 'repeated').length).toBeGreaterThan(100);
    expect([...(await storedItems(stage.service.client)).keys()]).toEqual(['-4611686018427387904']);
  });

  test('a response whose id a shell would run gets no command, and stays one line', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = createServer((_, response) => {
      arrived.resolve();
      response.writeHead(400, { 'x-request-id': '1;$(id)' }).end('{"error":50001}\n');
    });
    const { failed } = await send('as good', arrived.promise, await listen(server));
    server.close();
    expect(failed).toBe(1);
    expect(printed).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d [^:]+: \{"error":50001\}.*$/)]);
  });
});
