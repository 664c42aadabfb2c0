import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bodyOf, WHOLE } from '../contract/examples.ts';
import { overScript } from '../test/support/function-under-test.ts';
import { startLocalProcess, temporaryFolder } from '../test/support/local-process.ts';
import { npmRun } from '../test/support/run-command.ts';

/** With two of these, the SDK refuses an address; with the third, it ignores the one of the environment. */
const FLAGS = {
  AWS_USE_FIPS_ENDPOINT: 'true',
  AWS_USE_DUALSTACK_ENDPOINT: 'true',
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
};

test('npm start and npm run plants use the embedded store, whatever a shell sets for the tools of AWS', async () => {
  const config = path.join(temporaryFolder(), 'config');
  writeFileSync(config, '[profile work]\nregion = eu-west-1\nmax_attempts = no number\nretry_mode = none\n');
  const env = {
    ...FLAGS,
    AWS_REGION: '',
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
    AWS_CREDENTIAL_EXPIRATION: '2020-01-01T00:00:00Z',
    AWS_PROFILE: 'work',
    AWS_CONFIG_FILE: config,
    AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
    AWS_ACCOUNT_ID_ENDPOINT_MODE: 'required',
  };
  const data = temporaryFolder();
  const server = await startLocalProcess(data, { env });
  expect(await server.post(bodyOf(7))).toMatchObject({ status: 200 });
  // The first joins the running service, the second opens the folder itself.
  const found = { code: 0, out: expect.stringContaining('"id":7') };
  expect(await npmRun('plants', ['export', '--data', data], { env })).toMatchObject(found);
  expect(await server.end()).toBe(0);
  expect(await npmRun('plants', ['export', '--data', data], { env })).toMatchObject(found);
});

test('a store that the environment names is used, whatever else a shell sets', async () => {
  const server = await startLocalProcess();
  const here = { AWS_ENDPOINT_URL_DYNAMODB: server.endpoint, AWS_SECRET_ACCESS_KEY: 'any' };
  const env = {
    ...FLAGS,
    AWS_REGION: '',
    ...here,
    AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
  };
  await server.post(bodyOf(7, WHOLE));
  expect(await npmRun('plants', ['export'], { env })).toMatchObject({
    code: 0,
    out: expect.stringContaining('"id":7'),
  });
  await server.end();
  expect((await npmRun('plants', ['export'], { env })).err).toMatch(
    /^The store at http:\/\/127\.0\.0\.1:\d+ cannot be used \(.*ECONNREFUSED.*\)\.\n$/,
  );
});

test('the function calls the endpoint of the environment, whatever the flags say', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [name, value] of Object.entries(FLAGS)) vi.stubEnv(name, value);
  const attempts = await overScript({}, async (client, store) => {
    await client.send(new GetCommand({ TableName: 'any', Key: { digest: 'any' } }));
    return store.attempts.GetItem;
  });
  expect(attempts).toBe(1);
});
