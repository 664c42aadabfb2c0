import { expect, test } from 'vitest';
import { bodyOf } from '../contract/examples.ts';
import { sendHttp } from '../contract/send-http.ts';
import { AUDIENCE, startIdentityProvider } from '../test/support/identity-provider.ts';
import { startLocalProcess } from '../test/support/local-process.ts';
import { expectRefusal } from '../test/support/run-command.ts';

test('npm start with its options accepts the tokens of a provider, whatever the environment names, and its own', async () => {
  const provider = await startIdentityProvider(true);
  const args = [
    ...['--issuer', provider.issuer, '--audience', 'a', '--audience', AUDIENCE],
    ...['--scope', 'create', '--allow-client', 'moss', '--allow-client', 'shop'],
    ...['--name-claim', 'client_id', '--token-type', 'at+jwt'],
  ];
  const env = { IDENTITY_PROVIDER: '{"issuer":"https://a.example"}' };
  const server = await startLocalProcess(undefined, { args, env });
  const headers = [['authorization', `Bearer ${await provider.grant()}`]] as const;
  expect(await sendHttp(server.url, { headers, body: bodyOf(1) })).toMatchObject({ status: 200 });
  await expect.poll(server.output).toContain('"outcome":"created","token":"shop"');
  provider.close();
  expect(await server.post(bodyOf(2))).toMatchObject({ status: 200 });
  expect(await server.end()).toBe(0);
});

test('without them, it refuses such a token, whatever the environment names', async () => {
  const provider = await startIdentityProvider(true);
  const env = { IDENTITY_PROVIDER: JSON.stringify({ issuer: provider.issuer, audience: AUDIENCE }) };
  const server = await startLocalProcess(undefined, { env });
  const headers = [['authorization', `Bearer ${await provider.grant()}`]] as const;
  expect(await sendHttp(server.url, { headers, body: bodyOf(1) })).toBeRefused(40102);
  provider.close();
  expect(await server.end()).toBe(0);
});

const provider = (issuer: string, ...others: string[]) => [
  ...['--memory', '--issuer', issuer, '--audience', 'a'],
  ...others,
];

test.each<[string, string[], string]>([
  ['an issuer alone', ['--issuer', 'https://a.example'], '--issuer and --audience can only'],
  ['a scope alone', ['--scope', 'create'], '--issuer and --audience can only'],
  ['an issuer without TLS', provider('http://a.example'), '--issuer: Invalid issuer; it must be an https'],
  ['an issuer with a password', provider('https://a:b@c.example'), '--issuer: Invalid issuer'],
  ['an audience with a space', provider('https://a.example', '--audience', 'a '), '--audience: Invalid'],
  ['two scopes', provider('https://a.example', '--scope', 'a b'), '--scope: Invalid scope'],
  ['any type of token', provider('https://a.example', '--token-type', 'JWT'), '--token-type: Invalid'],
  [
    'an issuer open to all',
    provider('https://gitlab.com'),
    '--allow-client: Needed, or scope, because anybody',
  ],
])('npm start prints one line and ends for %s', (_, args, message) =>
  expectRefusal('start', args, { code: 2, message }),
);
