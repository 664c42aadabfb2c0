import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LOCAL_TABLES } from '../../local/tables.ts';
import { sendHttp } from '../../tools/verify/send-http.ts';
import { startLocalProcess, temporaryFolder, usedDataFolder } from '../support/local-process.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';
import { startCloudFormation } from './cloudformation-stand-in.ts';
import { runTool } from './run-tool.ts';

/** `npm run token -- …`. @returns both streams, and its exit code */
async function token(data: string, ...words: string[]): Promise<{ code: number; text: string }> {
  return tool({}, ...words, '--data', data);
}

async function tool(
  env: Record<string, string | undefined>,
  ...words: string[]
): Promise<{ code: number; text: string }> {
  const { code, out, err } = await runTool('token', words, { env });
  return { code, text: out + err };
}

const tokenIn = (text: string) => /plants_[0-9A-Za-z]{49}/.exec(text)?.[0] ?? '';
const idIn = (text: string) => /id ([0-9a-f]{8})/.exec(text)?.[1] ?? '';

describe('npm run token', () => {
  test('a token issued beside the running service works at once, and is shown this once', async () => {
    const data = temporaryFolder();
    const server = await startLocalProcess(data);
    const issued = await token(data, 'issue', 'ci');
    const answer = await sendHttp(server.url, {
      headers: [['authorization', `Bearer ${tokenIn(issued.text)}`]],
      body: '{"id":1,"name":"Fern"}',
    });
    expect(answer.status).toBe(200);
    const listed = await token(data, 'list');
    expect(listed.text).toMatch(/^NAME {3}ID {8}CREATED {5}EXPIRES\n/);
    expect(listed.text).toContain(`ci     ${idIn(issued.text)}`);
    expect(listed.text).not.toContain(tokenIn(issued.text));
    await server.end('SIGTERM');
  });

  test('without a running service it works on the same data', async () => {
    const data = usedDataFolder();
    const issued = await token(data, 'issue', 'ci', '--days', '3');
    expect((await token(data, 'list')).text).toMatch(
      new RegExp(`ci +${idIn(issued.text)} .+expires in [23] days`),
    );
    const server = await startLocalProcess(data);
    const headers: [string, string][] = [['authorization', `Bearer ${tokenIn(issued.text)}`]];
    expect((await sendHttp(server.url, { headers, body: '{"id":1,"name":"Fern"}' })).status).toBe(200);
    await server.end('SIGTERM');
  });

  test('two live tokens are a rotation; a third is refused until one is revoked', async () => {
    const data = usedDataFolder();
    const first = await token(data, 'issue', 'ci');
    await token(data, 'issue', 'ci');
    expect(await token(data, 'issue', 'ci')).toMatchObject({
      code: 1,
      text: expect.stringContaining('already has 2 live tokens'),
    });
    expect((await token(data, 'revoke', idIn(first.text))).text).toContain(
      `Revoked ${idIn(first.text)} of ci.`,
    );
    expect((await token(data, 'issue', 'ci')).code).toBe(0);
    expect((await token(data, 'revoke', '--all', 'ci')).text.match(/Revoked/g)).toHaveLength(2);
    expect((await token(data, 'list')).text.trim().split('\n')).toHaveLength(1);
  });

  test('the token is the only thing on standard output, so that it can be put into a variable', async () => {
    const { out, err } = await runTool('token', ['issue', 'ci', '--data', usedDataFolder()]);
    expect(out).toMatch(/^plants_[0-9A-Za-z]{49}\n$/);
    expect(err).toMatch(/^For ci, until \d{4}-\d\d-\d\d, id [0-9a-f]{8}\. It is not shown again\.\n$/);
  });

  test.each([
    [['issue', 'no name'], '"no name" is not a valid name'],
    [['revoke', '00000000'], 'No token has the id "00000000"'],
    [['revoke', '--all', 'nobody'], 'No token has the name "nobody"'],
  ])('%j cannot be done: one line, and exit code 1', async (words, message) => {
    const { code, text } = await token(usedDataFolder(), ...words);
    expect(text).toContain(message);
    expect(text.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });

  test.each([
    [['issue', 'ci', '--days', '367'], '--days must be a whole number from 1 to 366'],
    [['issue', 'ci', '--days', '1.5'], '--days must be a whole number'],
    [['revoke', '00000000', '--all', 'ci'], 'Use one of: issue NAME'],
    [['issue'], 'Use one of: issue NAME'],
    [[], 'Use one of: issue NAME'],
    [['list', 'all'], 'Use one of: issue NAME'],
    [['list', '--days', '3'], 'Use one of: issue NAME'],
    [['destroy', 'ci'], 'Use one of: issue NAME'],
    [['list', '--stgae', 'prod'], "Unknown option '--stgae'"],
    [['list', '--stage', 'dev'], '--stage and --data cannot be used together.'],
  ])('%j is no command: one line, and exit code 2', async (words, message) => {
    const { code, text } = await token(usedDataFolder(), ...words);
    expect(text).toContain(message);
    expect(text.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });

  test.each([['issue', 'ci'], ['list']])('%s makes no data folder where there is none', async (...words) => {
    const parent = temporaryFolder();
    const data = path.join(parent, 'tpyo');
    expect(await token(data, ...words)).toEqual({
      code: 1,
      text: `There is no data folder ${data}; npm start creates one, --data selects another.\n`,
    });
    expect(readdirSync(parent)).toEqual([]);
  });
});

describe('npm run token -- --stage', () => {
  test('it finds the table through the stack’s outputs, and the token works there', async () => {
    const service = await startTestService();
    const cloudFormation = await startCloudFormation({
      'PlantStore-dev': { outputs: { AccessTokensTable: LOCAL_TABLES.accessTokens } },
    });
    const env = { ...cloudFormation.env, AWS_ENDPOINT_URL_DYNAMODB: service.store.endpoint };
    const issued = await tool(env, 'issue', 'ci', '--stage', 'dev');
    const answer = await service.handler(plantEvent(tokenIn(issued.text), '{"id":1,"name":"Fern"}'));
    expect(answer.statusCode).toBe(200);
    expect((await tool(env, 'list', '--stage', 'dev')).text).toContain(idIn(issued.text));
    expect(await tool(env, 'list', '--stage', 'dev-anna')).toEqual({
      code: 1,
      text: 'The stack PlantStore-dev-anna cannot be looked up: Stack with id PlantStore-dev-anna does not exist\n',
    });
    cloudFormation.close();
    await service.close();
  });

  test('a stage that is none is refused with the choices', async () => {
    expect(await tool({}, 'list', '--stage', 'prdo')).toEqual({
      code: 1,
      text: expect.stringMatching(/^Unknown stage "prdo"; choose one of: .*\bdev-NAME\b.*\.\n$/),
    });
  });
});
