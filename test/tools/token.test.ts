import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LOCAL_TABLES } from '../../local/tables.ts';
import { sendHttp } from '../../tools/verify/send-http.ts';
import { startAws } from '../support/aws-stand-in.ts';
import { startLocalProcess, temporaryFolder, usedDataFolder } from '../support/local-process.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';
import { startCloudFormation } from './cloudformation-stand-in.ts';
import { expectRefusal, runTool } from './run-tool.ts';

const FERN = '{"id":1,"name":"Fern"}';

/** Runs `npm run token` on a data folder. */
const token = (data: string, ...args: string[]) => runTool('token', [...args, '--data', data]);

async function tool(
  env: Record<string, string | undefined>,
  ...words: string[]
): Promise<{ code: number; text: string }> {
  const { code, out, err } = await runTool('token', words, { env });
  return { code, text: out + err };
}

const tokenIn = (text: string) => /plants_[0-9A-Za-z]{49}/.exec(text)?.[0] ?? '';
const idIn = (text: string) => /id ([0-9a-f]{8})/.exec(text)?.[1] ?? '';

describe.concurrent('npm run token', () => {
  test('a token issued while the service runs works at once, and is shown only once', async () => {
    const data = temporaryFolder();
    const server = await startLocalProcess(data);
    const issued = await token(data, 'issue', 'ci');
    const headers: [string, string][] = [['authorization', `Bearer ${tokenIn(issued.all)}`]];
    expect(await sendHttp(server.url, { headers, body: FERN })).toMatchObject({ status: 200 });
    const listed = await token(data, 'list');
    expect(listed.all).toMatch(/^NAME {3}ID {8}CREATED {5}EXPIRES\n/);
    expect(listed.all).toContain(`ci     ${idIn(issued.all)}`);
    expect(listed.all).not.toContain(tokenIn(issued.all));
    await server.end();
  });

  test('a token issued before the service starts works, and its standard output is only the token', async () => {
    const data = usedDataFolder();
    const { out, err } = await token(data, 'issue', 'ci', '--days', '3');
    expect(out).toMatch(/^plants_[0-9A-Za-z]{49}\n$/);
    expect(err).toMatch(/^For ci, until \d{4}-\d\d-\d\d, id [0-9a-f]{8}\. It is not shown again\.\n$/);
    expect((await token(data, 'list')).all).toMatch(new RegExp(`ci +${idIn(err)} .+expires in [23] days`));
    const server = await startLocalProcess(data);
    const headers: [string, string][] = [['authorization', `Bearer ${out.trim()}`]];
    expect(await sendHttp(server.url, { headers, body: FERN })).toMatchObject({ status: 200 });
    await server.end();
  });

  test('a name may have two valid tokens, for a rotation; a third is refused until one is revoked', async () => {
    const data = usedDataFolder();
    const id = idIn((await token(data, 'issue', 'ci')).all);
    await token(data, 'issue', 'ci');
    const message = 'already has 2 valid tokens';
    await expectRefusal('token', ['issue', 'ci', '--data', data], { code: 1, message });
    expect((await token(data, 'revoke', id)).all).toContain(`Revoked ${id} of ci.`);
    expect((await token(data, 'issue', 'ci')).code).toBe(0);
    expect((await token(data, 'revoke', '--all', 'ci')).all.match(/Revoked/g)).toHaveLength(2);
    expect((await token(data, 'list')).all.trim().split('\n')).toHaveLength(1);
  });

  test.each<[string[], 1 | 2, string]>([
    [['issue', 'no name'], 1, '"no name" is not a valid name'],
    [['revoke', '00000000'], 1, 'No token has the id "00000000"'],
    [['revoke', '--all', 'nobody'], 1, 'No token has the name "nobody"'],
    [['issue', 'ci', '--days', '367'], 2, '--days must be a whole number from 1 to 366'],
    [['issue', 'ci', '--days', '1.5'], 2, '--days must be a whole number'],
    [['revoke', '00000000', '--all', 'ci'], 2, 'Use one of: issue NAME'],
    [['issue'], 2, 'Use one of: issue NAME'],
    [[], 2, 'Use one of: issue NAME'],
    [['list', 'all'], 2, 'Use one of: issue NAME'],
    [['list', '--days', '3'], 2, 'Use one of: issue NAME'],
    [['destroy', 'ci'], 2, 'Use one of: issue NAME'],
    [['list', '--stgae', 'prod'], 2, "Unknown option '--stgae'"],
    [['list', '--stage', 'dev'], 2, '--stage and --data cannot be used together.'],
  ])('%j is refused in one line, with exit code %i', (args, code, message) =>
    expectRefusal('token', [...args, '--data', usedDataFolder()], { code, message }),
  );

  test.each([[['issue', 'ci']], [['list']]])('%j does not create a data folder', async (args) => {
    const parent = temporaryFolder();
    const data = path.join(parent, 'tpyo');
    const message = `There is no data folder ${data}; npm start creates one, --data selects another.\n`;
    await expectRefusal('token', [...args, '--data', data], { code: 1, message });
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
      text: 'The stack PlantStore-dev-anna does not exist in this account and Region.\n',
    });
    cloudFormation.close();
    await service.close();
  });

  test('a refusal by AWS is reported in one line', async () => {
    const error = { code: 'AccessDenied', message: 'User: ann is not authorized', status: 403 };
    const aws = await startAws({ DescribeStacks: { error } });
    expect(await tool(aws.env, 'list', '--stage', 'dev')).toEqual({
      code: 1,
      text: 'The stack PlantStore-dev cannot be looked up: AccessDenied: User: ann is not authorized\n',
    });
    aws.close();
  });

  test('an unknown stage is refused with the choices', async () => {
    expect(await tool({}, 'list', '--stage', 'prdo')).toEqual({
      code: 2,
      text: expect.stringMatching(/^Unknown stage "prdo"; choose one of: .*\bdev-NAME\b.*\.\n$/),
    });
  });
});
