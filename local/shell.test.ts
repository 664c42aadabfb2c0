import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { bodyOf, OTHER, WHOLE } from '../contract/examples.ts';
import { idJson } from '../contract/key.ts';
import { sendHttp } from '../contract/send-http.ts';
import { overScript } from '../test/support/function-under-test.ts';
import { expectRefusal, runHere } from '../test/support/run-command.ts';
import { itemOf, putItem } from '../test/support/stored-item.ts';
import { temporaryFolder } from '../test/support/temporary-root.ts';
import { withStore } from '../test/support/with-store.ts';
import { listen } from './listen.ts';
import { startService } from './serve.ts';
import { closeServer } from './shutdown.ts';

/** With two of these, the SDK refuses an address; with the third, it ignores the one of the environment. */
const FLAGS = {
  AWS_USE_FIPS_ENDPOINT: 'true',
  AWS_USE_DUALSTACK_ENDPOINT: 'true',
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
};

const stub = (variables: object) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
};

const ITEM = itemOf('7', WHOLE);
const FOUND = { code: 0, out: expect.stringContaining(`"id":${idJson(7)}`) };

/** What no client of an embedded store may obey. With some of it, the SDK throws. */
function hostileShell(): NodeJS.ProcessEnv {
  const config = path.join(temporaryFolder(), 'config');
  writeFileSync(config, '[profile work]\nregion = eu-west-1\nuse_fips_endpoint = true\n');
  return {
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
    AWS_AUTH_SCHEME_PREFERENCE: 'sigv4a',
    AWS_DEFAULTS_MODE: 'none',
    AWS_MAX_ATTEMPTS: '1',
    AWS_RETRY_MODE: 'adaptive',
  };
}

test('the service and npm run plants use the embedded store, whatever a shell sets for the tools of AWS', async () => {
  stub(hostileShell());
  const data = temporaryFolder();
  const exported = () => runHere('plants', ['export', '--data', data]);
  await withStore(data, async (client) => {
    await putItem(client, ITEM);
    expect(await client.config.maxAttempts()).toBe(3);
    expect(client.config.retryMode).toBe('standard');
    // The command uses the store that is open.
    expect(await exported()).toMatchObject(FOUND);
  });
  // Here it opens the folder itself.
  expect(await exported()).toMatchObject(FOUND);
});

test('two services of one process have plants and tokens of their own, whatever the shell sets', async () => {
  stub(hostileShell());
  const options = {
    host: '127.0.0.1',
    port: 0,
    data: undefined,
    environment: {},
    accepted: [],
    isLogged: true,
  };
  const ours = await startService({ ...options, allowedOrigins: ['https://a.example'] });
  const theirs = await startService({ ...options, allowedOrigins: undefined });
  /** Sends a plant with the id 1. @returns the plant, or the number of the error, and who may read it */
  const post = async ({ url }: typeof ours, { token }: typeof ours, plant: typeof WHOLE | typeof OTHER) => {
    const headers = [
      ['authorization', `Bearer ${token}`],
      ['origin', 'https://a.example'],
    ] as const;
    const response = await sendHttp(url, { headers, body: bodyOf(1, plant) });
    const content = JSON.parse(response.body);
    return [
      response.status === 200 ? content : content.error,
      response.headers['access-control-allow-origin'],
    ];
  };
  expect(await post(ours, ours, WHOLE)).toEqual([WHOLE, 'https://a.example']);
  // The id is free there.
  expect(await post(theirs, theirs, OTHER)).toEqual([OTHER, undefined]);
  expect(await post(ours, ours, OTHER)).toEqual([40901, 'https://a.example']);
  expect(await post(ours, theirs, WHOLE)).toEqual([40102, 'https://a.example']);
  expect(await post(theirs, ours, WHOLE)).toEqual([40102, undefined]);
  for (const { server, store } of [ours, theirs]) {
    await closeServer(server);
    await store.close();
  }
});

test('a store that the environment names is used with the credentials of the shell, whatever else it sets', async () => {
  await withStore(temporaryFolder(), async (client, _, { endpoint }) => {
    await putItem(client, ITEM);
    const { accessKeyId } = await client.config.credentials();
    const exported = () => runHere('plants', ['export']);
    stub({ ...FLAGS, AWS_REGION: '', AWS_ENDPOINT_URL_DYNAMODB: endpoint });
    expect((await exported()).err).toContain(`The store at ${endpoint} cannot be used (The security token`);
    stub({ AWS_ACCESS_KEY_ID: accessKeyId });
    expect(await exported()).toMatchObject(FOUND);
    const file = path.join(temporaryFolder(), 'credentials');
    writeFileSync(file, `[work]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = any\n`);
    stub({ AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: 'work' });
    stub({ AWS_ACCESS_KEY_ID: 'local' });
    expect((await exported()).err).toContain('The security token');
    stub({ AWS_ACCESS_KEY_ID: undefined });
    expect(await exported()).toMatchObject(FOUND);
  });
});

test.each([
  [{ AWS_REGION: '', AWS_DEFAULT_REGION: undefined }, 'us-east-1'],
  [{ AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-central-1' }, 'eu-central-1'],
  [{ AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-central-1' }, 'eu-west-1'],
])(
  'a store that the environment names is called in a Region of AWS, as moto needs it: %j',
  async (shell, region) => {
    const signatures: unknown[] = [];
    const server = createServer(({ headers }, response) => {
      signatures.push(headers.authorization);
      response.writeHead(400).end();
    });
    stub({ ...shell, AWS_ENDPOINT_URL_DYNAMODB: await listen(server) });
    expect(await runHere('plants', ['export'])).toMatchObject({ code: 1 });
    await closeServer(server);
    expect(signatures).toEqual([expect.stringContaining(`/${region}/dynamodb/`)]);
  },
);

test('the function calls the endpoint of the environment, whatever the flags say', async () => {
  stub(FLAGS);
  const attempts = await overScript({}, async (client, store) => {
    await client.send(new GetCommand({ TableName: 'any', Key: { digest: 'any' } }));
    return store.attempts.GetItem;
  });
  expect(attempts).toBe(1);
});

const NO_ADDRESS =
  /^AWS_ENDPOINT_URL_DYNAMODB must be an http or https address without a user name and password\.\n$/;
test.each([
  ['http://user:hidden@127.0.0.1:9', NO_ADDRESS],
  ['ftp://127.0.0.1', NO_ADDRESS],
  ['nonsense', NO_ADDRESS],
  ['http://127.0.0.1:9', /^The store at http:\/\/127\.0\.0\.1:9 cannot be used \(.*ECONNREFUSED.*\)\.\n$/],
])('a store that cannot be called is refused, and a password not repeated: %s', async (address, message) => {
  stub({ AWS_ENDPOINT_URL_DYNAMODB: address });
  await expectRefusal('plants', ['export'], { code: 1, message });
});

test('what is no store of DynamoDB is told in one line', async () => {
  const page = createServer((_, response) => response.end('<html>'));
  stub({ AWS_ENDPOINT_URL_DYNAMODB: await listen(page), AWS_MAX_ATTEMPTS: '1' });
  const message = /^The store at http:\S+ cannot be used \(.+\)\.\n$/;
  await expectRefusal('plants', ['export'], { code: 1, message });
  page.close();
});
