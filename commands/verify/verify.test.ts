import { createServer } from 'node:http';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { loadCases } from '../../contract/cases.ts';
import { STAGES } from '../../infra/stages.ts';
import { listen } from '../../local/listen.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { stack, withAws } from '../../test/support/aws-stand-in.ts';
import { startLocalProcess } from '../../test/support/local-process.ts';
import { expectRefusal, runHere } from '../../test/support/run-command.ts';
import { storedItems } from '../../test/support/stored-item.ts';
import type { PrintedResult } from './verify-service.ts';

const CASES = loadCases();

describe('npm run verify', async () => {
  const server = await startLocalProcess();
  afterAll(() => server.end());
  const store = {
    AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
    AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
  };
  /** Runs `npm run verify` in this process, with a valid token in its environment. @param BaseUrl of every stage */
  const verify = (args: string[], BaseUrl = `${server.url}/`) => {
    const deployed = stack('CREATE_COMPLETE', { BaseUrl, AccessTokensTable: LOCAL_TABLES.accessTokens });
    return withAws(deployed, () => runHere('verify', args), { ...store, PLANT_STORE_TOKEN: server.token });
  };
  const scan = new ScanCommand({ TableName: LOCAL_TABLES.accessTokens });
  const tokenNames = async () => (await server.client.send(scan)).Items?.map(({ name }) => name?.S).sort();
  /** How many requests the service has refused, and how many for their token. */
  const refusals = () => server.output().match(/"outcome":"refused"/g)?.length ?? 0;
  const refusedTokens = () => server.output().match(/"error":40102/g)?.length ?? 0;

  test('with --stage finds the address, issues a token for the run only, and creates one plant', async () => {
    const { code, out, err } = await verify(['--stage', 'prod']);
    // Prod is protected.
    expect(out).toMatch(
      /^http:\S+ conforms to the contract: \d{3} rules held, 0 did not hold, \d{3} not judged \(\d+: only --write stores plants; \d+: ids outside the reserved range are used only .+\); retries: 0\.\n$/,
    );
    expect(out + err).not.toContain('plants_');
    expect(code).toBe(0);
    expect((await storedItems(server.client)).size).toBe(1);
    expect(await tokenNames()).toEqual(['local']);
    // No stage sends a false alarm after two verifications within its five minutes, as of two merges.
    const refused = refusedTokens();
    expect(refused).toBeGreaterThan(0);
    for (const { aboveNormal } of Object.values(STAGES))
      expect(aboveNormal.refusedTokens).toBeGreaterThan(2 * refused);
    // The run used a token of its own: the log of the service names it.
    await vi.waitFor(() => expect(server.output()).toContain('"token":"verify"'));
  });

  test('with --write finds that every rule that it can judge holds', async () => {
    const before = refusals();
    const { code, out, err } = await verify(['--url', server.url, '--write', '--json']);
    // No stage sends a false alarm after two such runs within its five minutes; what a canary is checked with is less.
    const refused = refusals() - before;
    expect(refused).toBeGreaterThan(100);
    for (const { aboveNormal } of Object.values(STAGES))
      expect(aboveNormal.refusals).toBeGreaterThan(2 * refused);
    expect(out).toMatch(/^{\n {2}"baseUrl"/);
    expect(err).toMatch(
      /^http:\S+ conforms to the contract: \d+ rules held, 0 did not hold, \d+ not judged \(\d+: .+\); retries: 0\.$/m,
    );
    const { results } = JSON.parse(out) as { results: PrintedResult[] };
    expect(results.length).toBeGreaterThan(CASES.length);
    expect(results.filter(({ reasons }) => !/^(|this run has no .*)$/.test(reasons.join()))).toEqual([]);
    // Some store more than one.
    const accepted = CASES.flatMap(({ expected }) => (expected.status === 200 ? [expected.stored?.id] : []));
    const stored = (await storedItems(server.client)).size;
    expect(stored).toBeGreaterThan(new Set(accepted).size);
    expect(code).toBe(0);
  });

  test('revokes the token of a stage after Ctrl-C', async () => {
    const silent = createServer(async () => {
      expect(await tokenNames()).toEqual(['local', 'verify']);
      process.emit('SIGINT', 'SIGINT');
    });
    const ended = await verify(['--stage', 'dev'], await listen(silent));
    silent.close();
    expect(ended).toMatchObject({ code: 1, err: 'Interrupted.\n' });
    expect(await tokenNames()).toEqual(['local']);
  });
});

const URL_OPTION = ['--url', 'http://127.0.0.1:1'];
test.each<[string[], string, { input: string }?]>([
  [[], 'Say what to verify: --url or --stage'],
  [[...URL_OPTION, '--stage', 'dev'], '--url and --stage cannot be used together.'],
  [URL_OPTION, 'Put the access token into PLANT_STORE_TOKEN, or give it on standard input.', { input: '' }],
])('refused: npm run verify -- %j', (args, message, options) =>
  expectRefusal('verify', args, { code: 2, message }, options),
);
