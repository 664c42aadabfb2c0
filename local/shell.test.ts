import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import { WHOLE } from '../contract/examples.ts';
import { overScript } from '../test/support/function-under-test.ts';
import { runHere } from '../test/support/run-command.ts';
import { itemOf } from '../test/support/stored-item.ts';
import { temporaryFolder } from '../test/support/temporary-root.ts';
import { withStore } from '../test/support/with-store.ts';

/** With two of these, the SDK refuses an address; with the third, it ignores the one of the environment. */
const FLAGS = {
  AWS_USE_FIPS_ENDPOINT: 'true',
  AWS_USE_DUALSTACK_ENDPOINT: 'true',
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
};

const stub = (variables: object) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
};
afterEach(() => void vi.unstubAllEnvs());

const Item = itemOf('7', WHOLE);
const FOUND = { code: 0, out: expect.stringContaining('"id":7') };

test('the service and npm run plants use the embedded store, whatever a shell sets for the tools of AWS', async () => {
  const config = path.join(temporaryFolder(), 'config');
  writeFileSync(config, '[profile work]\nregion = eu-west-1\nmax_attempts = no number\nretry_mode = none\n');
  const shell = {
    ...FLAGS,
    AWS_REGION: '',
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
    AWS_CREDENTIAL_EXPIRATION: '2020-01-01T00:00:00Z',
    AWS_PROFILE: 'work',
    AWS_CONFIG_FILE: config,
    AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
    AWS_ENDPOINT_URL_DYNAMODB: undefined,
    AWS_ACCOUNT_ID_ENDPOINT_MODE: 'required',
  };
  stub(shell);
  const data = temporaryFolder();
  const exported = () => runHere('plants', ['export', '--data', data]);
  await withStore(data, async (client) => {
    await client.send(new PutItemCommand({ TableName: 'Plants', Item }));
    // Another process would have the shell's environment: the command then uses the store that is open.
    stub(shell);
    expect(await exported()).toMatchObject(FOUND);
  });
  stub(shell);
  // Here it opens the folder itself.
  expect(await exported()).toMatchObject(FOUND);
});

test('a store that the environment names is used, whatever else a shell sets', async () => {
  await withStore(temporaryFolder(), async (client) => {
    await client.send(new PutItemCommand({ TableName: 'Plants', Item }));
    stub({ ...FLAGS, AWS_REGION: '' });
    expect(await runHere('plants', ['export'])).toMatchObject(FOUND);
  });
  stub({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' });
  expect((await runHere('plants', ['export'])).err).toMatch(
    /^The store at http:\/\/127\.0\.0\.1:9 cannot be used \(.*ECONNREFUSED.*\)\.\n$/,
  );
});

test('the function calls the endpoint of the environment, whatever the flags say', async () => {
  stub(FLAGS);
  const attempts = await overScript({}, async (client, store) => {
    await client.send(new GetCommand({ TableName: 'any', Key: { digest: 'any' } }));
    return store.attempts.GetItem;
  });
  expect(attempts).toBe(1);
});
