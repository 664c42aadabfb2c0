import { expect, test } from 'vitest';
import { bodyOf } from '../contract/examples.ts';
import { sendHttp } from '../contract/send-http.ts';
import { AUDIENCE, startIdentityProvider } from '../test/support/identity-provider.ts';
import { startLocalProcess } from '../test/support/local-process.ts';
import { expectRefusal } from '../test/support/run-command.ts';

test('npm start with the setting accepts the tokens of a provider, whatever the environment names, and its own', async () => {
  const provider = await startIdentityProvider(true);
  const setting = {
    issuer: provider.issuer,
    audience: ['a', AUDIENCE],
    scope: 'create',
    allowedClients: ['moss', 'shop'],
    nameClaim: ['client_id'],
    tokenType: 'at+jwt',
  };
  const args = ['--identity-provider', JSON.stringify(setting)];
  const env = { IDENTITY_PROVIDER: '{"issuer":"https://a.example"}' };
  const server = await startLocalProcess(undefined, { args, env });
  const headers = [['authorization', `Bearer ${await provider.grant()}`]] as const;
  expect(await sendHttp(server.url, { headers, body: bodyOf(1) })).toMatchObject({ status: 200 });
  await expect.poll(server.output).toContain('"outcome":"created","token":"shop"');
  provider.close();
  expect(await server.post(bodyOf(2))).toMatchObject({ status: 200 });
  expect(await server.end()).toBe(0);
});

test('without it, it refuses such a token, whatever the environment names', async () => {
  const provider = await startIdentityProvider(true);
  const env = { IDENTITY_PROVIDER: JSON.stringify({ issuer: provider.issuer, audience: AUDIENCE }) };
  const server = await startLocalProcess(undefined, { env });
  const headers = [['authorization', `Bearer ${await provider.grant()}`]] as const;
  expect(await sendHttp(server.url, { headers, body: bodyOf(1) })).toBeRefused(40102);
  provider.close();
  expect(await server.end()).toBe(0);
});

test.each([
  ['{issuer:1}', '--identity-provider must be JSON, such as {'],
  ['{"issuer":"https://a.example"}', '--identity-provider: audience: '],
  [
    '{"issuer":"http://a.example","audience":"a"}',
    '--identity-provider: issuer: Invalid issuer; it must be an https',
  ],
  [
    '{"issuer":"https://gitlab.com","audience":"a"}',
    '--identity-provider: allowedClients: Needed, or scope, because anybody',
  ],
])('npm start prints one line and ends for %s', (setting, message) =>
  expectRefusal('start', ['--memory', '--identity-provider', setting], { code: 2, message }),
);
