import { once } from 'node:events';
import { createServer } from 'node:http';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../local/gateway.ts';
import { LOCAL_TABLES } from '../../local/tables.ts';
import type { Result } from '../../tools/verify/check.ts';
import { listen } from '../support/listen.ts';
import { startLocalProcess, startTool } from '../support/local-process.ts';
import { startTestService } from '../support/test-service.ts';
import { startCloudFormation } from './cloudformation-stand-in.ts';
import { expectRefusal, runTool } from './run-tool.ts';

interface Report {
  held: number;
  didNotHold: number;
  results: Result[];
}

describe('npm run verify finds that the local service conforms', async () => {
  const server = await startLocalProcess();
  afterAll(() => server.end());

  /** The ids of the plants that the server has created, in order. */
  const created = () =>
    [...server.output().matchAll(/"outcome":"created".*"id":"(-?\d+)"/g)].map(([, id]) => id);

  test('without --write it creates one plant, and shows no token', async () => {
    const { code, out } = await runTool('verify', ['--url', server.url], { input: server.token });
    expect(out).toMatch(/^total +\d{3} +- +\d$/m);
    const verdict = / conforms to the contract: 3\d\d rules held, 0 did not hold, \d not judged\.\n$/;
    expect(out).toMatch(verdict);
    expect(out).not.toContain('plants_');
    expect(code).toBe(0);
    expect(created()).toHaveLength(1);
  });

  test('with --write every rule that it can judge holds, a second time too', async () => {
    const env = { PLANT_STORE_TOKEN: server.token };
    for (const _ of ['first run', 'second run']) {
      const { code, out, err } = await runTool('verify', ['--url', server.url, '--write', '--json'], { env });
      expect(err).toMatch(
        /^http:\S+ conforms to the contract: \d+ rules held, 0 did not hold, \d+ not judged\.\n$/,
      );
      const { held, results } = JSON.parse(out) as Report;
      expect(results.filter(({ verdict }) => verdict === 'did not hold')).toEqual([]);
      expect(held).toBeGreaterThan(450);
      expect(code).toBe(0);
    }
    // The plant of the first test is the same in every run.
    const [always] = created();
    expect(created().filter((id) => id === always)).toHaveLength(1);
    expect(server.output()).toMatch(new RegExp(`"outcome":"repeated".*"id":"${always}"`));
  });
});

describe.concurrent('npm run verify that cannot begin prints one line', () => {
  const token = `plants_${'0'.repeat(49)}`;
  const url = ['--url', 'http://localhost:1'];
  test.each([
    ['no address', [], token, 'Say what to verify: --url or --stage'],
    ['two addresses', [...url, '--stage', 'dev'], token, '--url and --stage cannot be used together.'],
    ['no token', url, '', 'Put the access token into PLANT_STORE_TOKEN, or give it on standard input.'],
    ['an invalid address', ['--url', 'localhost:3000'], token, '--url must be an address such as'],
    ['a token with a wrong checksum', url, token, 'This is not an access token'],
    ['a token as an option', [...url, '--token', token], '', 'There is no option --token: give the token in'],
    ['a token after =', [...url, `--token=${token}`], '', 'There is no option --token: give the token in'],
    ['a token as an argument', [...url, token], '', 'An argument does not belong to any option'],
    ['an unknown option', ['--uri', 'http://localhost:1'], token, "Unknown option '--uri'; --help shows"],
  ])('%s: exit code 2', (_, args, input, message) =>
    expectRefusal('verify', args, { code: 2, message }, { input }),
  );
});

describe.concurrent('npm run verify and a service that', async () => {
  const service = await startTestService();
  const gateway = createGateway(service.handler);
  const url = await listen(gateway);
  afterAll(async () => {
    gateway.close();
    await service.close();
  });
  const unknown = `plants_${'0'.repeat(43)}3HnMlu`;

  test.each([
    ['has another path', `${url}/plants`, service.token, /\/plants has no POST \/plants \(40401\); --url is/],
    ['refuses the token', url, unknown, 'refuses the access token (40102)'],
    ['does not exist', 'http://127.0.0.1:9', service.token, 'cannot be reached (ECONNREFUSED)'],
  ])('%s: one line and exit code 1', (_, address, input, message) =>
    expectRefusal('verify', ['--url', address], { code: 1, message }, { input }),
  );

  test('stops answering: the run ends after three checks without an answer', async () => {
    let requests = 0;
    const stopping = createServer((request, response) => {
      requests += 1;
      if (requests > 20) request.socket.destroy();
      else gateway.emit('request', request, response);
    });
    const args = ['--url', await listen(stopping), '--json'];
    const { code, out } = await runTool('verify', args, { input: service.token });
    stopping.close();
    const { held, didNotHold, results } = JSON.parse(out) as Report;
    expect(held).toBeGreaterThan(5);
    expect(didNotHold).toBe(3);
    const last = { verdict: 'not judged', reasons: ['the service stopped answering'] };
    expect(results.at(-1)).toMatchObject(last);
    expect(requests).toBeLessThan(30);
    expect(code).toBe(1);
  });
});

describe('npm run verify -- --stage', async () => {
  const server = await startLocalProcess();
  const silent = createServer();
  const tokensTable = { AccessTokensTable: LOCAL_TABLES.accessTokens };
  const aws = await startCloudFormation({
    'PlantStore-dev': { outputs: { BaseUrl: server.url, ...tokensTable } },
    'PlantStore-dev-gone': { outputs: { BaseUrl: 'http://127.0.0.1:9', ...tokensTable } },
    'PlantStore-dev-silent': { outputs: { BaseUrl: await listen(silent), ...tokensTable } },
  });
  const env = {
    ...aws.env,
    AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
    AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
  };
  afterAll(async () => {
    aws.close();
    silent.close();
    await server.end();
  });
  const tokenNames = async () => {
    const { Items = [] } = await server.client.send(
      new ScanCommand({ TableName: LOCAL_TABLES.accessTokens }),
    );
    return Items.map(({ name }) => name?.S).sort();
  };

  test('it finds the address, and issues a token for the run only', async () => {
    const { code, out, err } = await runTool('verify', ['--stage', 'dev'], { env });
    expect(out + err).toMatch(/conforms to the contract: 3\d\d rules held, 0 did not hold/);
    expect(code).toBe(0);
    expect(await tokenNames()).toEqual(['local']);
    // The run used a token of its own: the log of the service names it.
    expect(server.output()).toContain('"token":"verify"');
  });

  test('a service that cannot be reached: the token is revoked', async () => {
    const message = 'http://127.0.0.1:9 cannot be reached';
    await expectRefusal('verify', ['--stage', 'dev-gone'], { code: 1, message }, { env });
    expect(await tokenNames()).toEqual(['local']);
  });

  test('Ctrl-C: the token is revoked', async () => {
    const asked = once(silent, 'request');
    const { child, ended } = startTool('verify', ['--stage', 'dev-silent'], { env });
    await Promise.race([asked, ended]);
    expect(await tokenNames()).toEqual(['local', 'verify']);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 1, err: 'Interrupted.\n' });
    expect(await tokenNames()).toEqual(['local']);
  });

  test('a stage that is not deployed', async () => {
    const message = 'The stack PlantStore-dev-none does not exist in this account and Region.';
    await expectRefusal('verify', ['--stage', 'dev-none'], { code: 1, message }, { env });
  });
});
