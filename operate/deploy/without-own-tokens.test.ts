import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { findStage } from '../../infra/find-stage.ts';
import { STAGES } from '../../infra/stages.ts';
import { ok, stack, withAws } from '../../test/support/aws-stand-in.ts';
import { startHttpService } from '../../test/support/http-service.ts';
import { IDENTITY_PROVIDER } from '../../test/support/identity-provider-setting.ts';
import { runHere } from '../../test/support/run-command.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { synthesize } from '../guard/synthesize.ts';

const service = await startHttpService();
afterAll(() => service.close());

const SETTINGS = {
  ...STAGES.prod,
  canaryMinutes: 10,
  identityProvider: { ...IDENTITY_PROVIDER, ownTokens: false },
};

/** Runs a command with the stage prod, which issues no tokens. @param cdk what stands in for the CDK, in the shell's language */
async function run(name: string, args: string[], cdk = 'exit 0') {
  // Not changed in place: other files of tests share these settings.
  vi.spyOn(STAGES as Record<string, object>, 'prod', 'get').mockReturnValue(SETTINGS);
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'cdk'), `#!/bin/sh\n${cdk}\n`, { mode: 0o755 });
  const StackResourceSummaries = [
    { LogicalResourceId: 'Function', ResourceType: 'AWS::Lambda::Function', PhysicalResourceId: 'a' },
  ];
  const responses = {
    ...stack('UPDATE_COMPLETE', { BaseUrl: service.url }),
    GetTemplate: ok({ TemplateBody: JSON.stringify(synthesize(findStage('prod'))) }),
    ListStackResources: ok({ StackResourceSummaries }),
    GetAlias: ok({ FunctionVersion: '7', Description: 'any' }),
  };
  const env = {
    AWS_ACCESS_KEY_ID: service.store.accessKeyId,
    AWS_ENDPOINT_URL_DYNAMODB: service.store.endpoint,
    PATH: `${folder}${path.delimiter}${process.env.PATH}`,
  };
  return withAws(responses, () => runHere(name, [...args, '--stage', 'prod']), env);
}

test('verify takes the token of the command that the operator names', async () => {
  const { code, out, err } = await run('verify', ['--token-command', `echo ${service.token}`]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('conforms to the contract');
});

test('a canary is checked with such a token, and one without says that it checks nothing', async () => {
  const checked = await run('deploy', ['--token-command', `echo ${service.token}`], 'sleep 2');
  expect(checked.out).toMatch(/Checks: [1-9]\d*; failures: 0; /);
  const unchecked = await run('deploy', []);
  expect(unchecked.out).toContain(
    '\nNo checks are made: stage prod issues no access tokens, and neither --token-command nor PLANT_STORE_TOKEN gives one.\n',
  );
});

test('there are no tokens to list', async () => {
  expect(await run('token', ['list'])).toMatchObject({
    code: 1,
    err: 'Stage prod issues no access tokens: its setting says that others are accepted instead.\n',
  });
});
