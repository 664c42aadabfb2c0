import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bodyOf, WHOLE } from '../contract/examples.ts';
import { isExhaustive } from '../test/support/exhaustive.ts';
import { overScript } from '../test/support/function-under-test.ts';
import { startLocalProcess, temporaryFolder } from '../test/support/local-process.ts';
import { npmRun } from '../test/support/run-command.ts';

/** A file as `~/.aws/config`. */
function configFile(): string {
  const file = path.join(temporaryFolder(), 'config');
  const settings = [
    'region = eu-west-1',
    'use_fips_endpoint = true',
    'use_dualstack_endpoint = true',
    'ignore_configured_endpoint_urls = true',
    'max_attempts = no number',
    'retry_mode = none',
  ].join('\n');
  writeFileSync(file, `[default]\n${settings}\n[profile work]\n${settings}\n`);
  return file;
}

/** What shells set for AWS's tools, by what it is; each alone was an end of `npm start`, or could become one. */
const SHELLS: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  'FIPS endpoints': { AWS_USE_FIPS_ENDPOINT: 'true' },
  'dual-stack endpoints': { AWS_USE_DUALSTACK_ENDPOINT: 'true' },
  'no configured endpoints': { AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' },
  'an empty Region': { AWS_REGION: '', AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
  'the Region of the AWS CLI': { AWS_REGION: undefined, AWS_DEFAULT_REGION: 'eu-west-1' },
  'a profile that does not exist': { AWS_PROFILE: 'nobody', AWS_SDK_LOAD_CONFIG: '1' },
  'a profile of a configuration file': { AWS_PROFILE: 'work', AWS_CONFIG_FILE: configFile() },
  'a configuration file': { AWS_REGION: undefined, AWS_CONFIG_FILE: configFile() },
  'an address for all services': { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
  'endpoints of an account': { AWS_ACCOUNT_ID_ENDPOINT_MODE: 'required', AWS_ACCOUNT_ID: '1' },
  'no known retries': { AWS_MAX_ATTEMPTS: 'many', AWS_RETRY_MODE: 'none', AWS_DEFAULTS_MODE: 'none' },
  'credentials that have expired': {
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
    AWS_SESSION_TOKEN: 'any',
    AWS_CREDENTIAL_EXPIRATION: '2020-01-01T00:00:00Z',
  },
};

describe.concurrent('npm start and npm run plants use the embedded store in a shell that sets', () => {
  const each = isExhaustive('each setting of a shell alone') ? Object.entries(SHELLS) : [];
  test.each([['all of this', Object.assign({}, ...Object.values(SHELLS))], ...each])('%s', async (_, env) => {
    const data = temporaryFolder();
    const server = await startLocalProcess(data, { env });
    expect(await server.post(bodyOf(7))).toMatchObject({ status: 200 });
    // The first joins the running service, the second opens the folder itself.
    const found = { code: 0, out: expect.stringContaining('"id":7') };
    expect(await npmRun('plants', ['export', '--data', data], { env })).toMatchObject(found);
    expect(await server.end()).toBe(0);
    expect(await npmRun('plants', ['export', '--data', data], { env })).toMatchObject(found);
  });
});

test('a store that the environment names is used, whatever else a shell sets', async () => {
  const server = await startLocalProcess();
  const here = { AWS_ENDPOINT_URL_DYNAMODB: server.endpoint, AWS_SECRET_ACCESS_KEY: 'any' };
  const env = {
    ...SHELLS['FIPS endpoints'],
    ...SHELLS['dual-stack endpoints'],
    ...SHELLS['no configured endpoints'],
    ...SHELLS['an empty Region'],
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

test.each(['AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT', 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'])(
  'the function calls the endpoint of the environment with %s=true',
  async (name) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv(name, 'true');
    const attempts = await overScript({}, async (client, store) => {
      await client.send(new GetCommand({ TableName: 'any', Key: { digest: 'any' } }));
      return store.attempts.GetItem;
    });
    expect(attempts).toBe(1);
  },
);
