import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DeleteTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { bodyOf, LEAST, OTHER, WHOLE } from '../contract/examples.ts';
import { IS_NUMBER } from '../contract/key.ts';
import { sendHttp } from '../contract/send-http.ts';
import { tokenDigest } from '../lambda/tokens/access-token-table.ts';
import { startLocalProcess } from '../test/support/local-process.ts';
import { withText } from '../test/support/properties.ts';
import { expectRefusal } from '../test/support/run-command.ts';
import { temporaryFolder } from '../test/support/temporary-root.ts';
import { withStore } from '../test/support/with-store.ts';
import { listen, urlOf } from './listen.ts';
import { localToken } from './local-token.ts';

/** The origin whose pages can read the response to a request from an origin. */
const readableBy = async ({ url }: { readonly url: string }, origin: string) =>
  (await sendHttp(url, { headers: [['origin', origin]] })).headers['access-control-allow-origin'];

/** What the environment may say, and the local service does not use. */
const FOREIGN = {
  ALLOWED_ORIGINS: 'https://a.example',
  AWS_PROFILE: 'somebody-else',
};

describe('npm start', async () => {
  const server = await startLocalProcess(undefined, { env: FOREIGN });

  test('the curl command that it prints creates a plant, whatever AWS profile the environment names', async () => {
    const command = server.output();
    const headers = [...command.matchAll(/-H '(.+?): (.+?)'/g)].map(([, name, value]) => [name, value]);
    const body = /-d '(.+?)'/.exec(command)?.[1];
    expect(headers).toContainEqual(['Authorization', `Bearer ${server.token}`]);
    // The response has no line break at its end, so curl writes one.
    expect(command).toContain("-w '\\n'");
    const response = await sendHttp(server.url, { headers: headers as [string, string][], body });
    expect(response).toMatchObject({ status: 200, body: JSON.stringify(WHOLE) });
  });

  test('every address that it prints is 127.0.0.1, where only it listens', async () => {
    const hosts = server.output().match(/(?<=http:\/\/)[^:/]+/g);
    expect([...new Set(hosts)]).toEqual(['127.0.0.1']);
    await expect(sendHttp(server.url.replace('127.0.0.1', '127.0.0.2'), {})).rejects.toThrow();
  });

  test('it also has its port of ::1', async () => {
    const response = await sendHttp(server.url.replace('127.0.0.1', '[::1]'), {
      headers: [['authorization', `Bearer ${server.token}`]],
      body: bodyOf(2),
    });
    expect(response).toMatchObject({ status: 200, body: JSON.stringify(LEAST) });
  });

  test('it continues when its standard output is closed, prints no stack trace, and stops at Ctrl-C', async () => {
    server.closeOutput();
    for (const id of [1, 2, 3]) {
      const response = await server.post(bodyOf(`1${id}`));
      expect(response).toMatchObject({ status: 200, body: JSON.stringify(LEAST) });
    }
    expect(await server.end('SIGINT')).toBe(0);
    expect(server.output()).not.toMatch(/^ +at /m);
  });
});

test('npm start with options allows only their origins; after kill -9, every acknowledged plant is still stored, and its token still works', async () => {
  const data = temporaryFolder();
  const origins = ['https://b.example', 'https://c.example'];
  const allowed = origins.flatMap((origin) => ['--allow-origin', origin]);
  const first = await startLocalProcess(data, { args: allowed, env: FOREIGN });
  expect(await readableBy(first, 'https://a.example')).toBeUndefined();
  for (const origin of origins) expect(await readableBy(first, origin)).toBe(origin);
  const ids = Array.from({ length: 30 }, (_, n) => String(9007199254740993n + BigInt(n)));
  const responses = await Promise.all(ids.map((id) => first.post(bodyOf(id, withText(id)))));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await first.end('SIGKILL')).toBe('SIGKILL');
  // The address of the service that was killed is not named.
  await withStore(data, () =>
    expect(withStore(data, async () => undefined)).rejects.toThrow(`is in use by process ${process.pid};`),
  );

  const second = await startLocalProcess(data);
  expect(second.token).toBe(first.token);
  for (const id of ids) expect(await second.item(id)).toEqual({ id, ...withText(id) });
  expect(await second.post(bodyOf(`${ids[0]}`, OTHER))).toBeRefused(40901);
  const message = `is in use by the service at ${second.url}, process ${second.pid}; stop it, or choose --data.`;
  for (const _ of ['the first refusal', 'changes nothing'])
    await expect(withStore(data, async () => undefined)).rejects.toThrow(message);
  expect(await second.end()).toBe(0);
});

test('npm start -- --log text prints a line for each request, and the log of an error of the service only', async () => {
  const server = await startLocalProcess(undefined, { args: ['--log', 'text'] });
  await server.post(bodyOf(1));
  await server.post(bodyOf(1, OTHER));
  if (IS_NUMBER) await server.post(bodyOf(1).replace('"id":1', '"id":1e+14'));
  await sendHttp(server.url, { path: '/%1b[2Jplants?token=secret' });
  await sendHttp(server.url, { method: 'OPTIONS' });
  await server.client.send(new DeleteTableCommand({ TableName: 'Plants' }));
  await server.post(bodyOf(2));
  await server.end();
  const lines = server.output().split('Stop it with Ctrl-C.\n\n')[1]?.split('\n');
  expect(lines).toEqual([
    'POST /plants 200',
    'POST /plants 40901 The id belongs to a different plant; choose another id.',
    ...(IS_NUMBER
      ? [
          'The id 100000000000000 had an exponent: its client may have rounded it (docs/clients.md, rule 1).',
          'POST /plants 200',
        ]
      : []),
    expect.stringMatching(/^POST \/%1b\[2Jplants 40401 \w[^"]+$/),
    expect.stringMatching(/^OPTIONS \/plants 40401 \w[^"]+$/),
    expect.stringContaining('"fault":"ResourceNotFoundException"'),
    expect.stringMatching(/^POST \/plants 50001 \w[^{]+$/),
    '',
  ]);
});

test('npm start says if another process has its port of ::1', async () => {
  const foreign = createServer();
  const address = new URL(await listen(foreign, '::1'));
  const server = await startLocalProcess(undefined, { args: ['--port', address.port] });
  expect(server.output()).toContain(
    `Another process has port ${address.port} of ::1: do not write localhost`,
  );
  await server.end();
  foreign.close();
});

test('an expired token is not printed again: npm start issues another one', async () => {
  await withStore(temporaryFolder(), async (client, folder, settings) => {
    const token = () => localToken(folder, settings);
    const first = await token();
    expect(await token()).toBe(first);
    const [created, expires] = [{ N: '1' }, { N: '2' }];
    const Item = { digest: { S: tokenDigest(first) }, name: { S: 'local' }, created, expires };
    await client.send(new PutItemCommand({ TableName: 'AccessTokens', Item }));
    const second = await token();
    expect([second === first, second, await token()]).toEqual([false, second, second]);
  });
});

test('each script that runs TypeScript says in one line that Node is too old, as Node 22 on which a part of it runs', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const commands = Object.values(scripts).filter((each) => each.endsWith('.ts'));
  expect(commands.length).toBeGreaterThan(1);
  for (const command of commands) expect(command).toContain('--import ./cli/needs-node.mjs ');
  const [, ...words] = String(scripts.start).split(' ');
  const node22 = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'22.18.0'}})`;
  const old = spawnSync(process.execPath, ['--import', node22, ...words], { encoding: 'utf8' });
  expect([old.status, old.stdout, old.stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^Node v.+npm ci.+\n$/),
  ]);
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['::1', 'http://[::1]:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:80'],
])('a service on %s is at %s', (host, url) => {
  expect(urlOf(host, 80)).toBe(url);
});

describe('npm start prints one line and ends for', async () => {
  const server = createServer();
  const { port } = new URL(await listen(server));
  afterAll(() => server.close());
  test.each<[string, string[], 1 | 2, string | RegExp]>([
    ['a port in use', ['--memory', '--port', port], 1, /^Port \d+ is in use; /],
    ['an empty data folder, as of an unset variable', ['--data', ''], 2, '--data must not be empty.'],
    ['an address of another machine', ['--memory', '--port', '0', '--host', '192.0.2.1'], 1, '--host.'],
    ['a name in place of an address', ['--host', 'localhost'], 2, '--host must be an IP address'],
    ['a port out of range', ['--port', '65536'], 2, 'from 0 to 65535.'],
    ['a data folder with --memory', ['--memory', '--data', 'any'], 2, '--memory keeps nothing, so it cannot'],
    ['an origin with a path', ['--allow-origin', 'https://a.example/x'], 2, '--allow-origin cannot be'],
  ])('%s', (_, args, code, message) => expectRefusal('start', args, { code, message }));
});
