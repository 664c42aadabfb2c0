import { createServer, setGlobalProxyFromEnv } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FERN, startScriptedService } from '../client/test/scripted-service.ts';
import { bodyOf } from '../contract/examples.ts';
import { sendHttp } from '../contract/send-http.ts';
import { formatToken } from '../lambda/tokens/token-format.ts';
import { listen } from '../local/listen.ts';
import { awsHome, SSO } from '../test/support/aws-home.ts';
import { runHere } from '../test/support/run-command.ts';
import { temporaryFile } from '../test/support/temporary-root.ts';

const plants = temporaryFile('plants.ndjson', `${bodyOf(7)}\n`);
const AWS = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' };

let restore: () => void;
beforeEach(() => {
  // With no proxy, it would change nothing, and have nothing to restore.
  restore = setGlobalProxyFromEnv({ HTTP_PROXY: 'http://127.0.0.1:1' });
});
afterEach(() => restore());

/**
 * Does something behind a proxy that refuses every tunnel: to open one is Node's work.
 * @returns also the hosts that the proxy was asked for
 */
async function behindProxy<Result>(work: () => Promise<Result>, more: NodeJS.ProcessEnv = {}) {
  const asked = new Set<string>();
  const proxy = createServer((_, response) => response.writeHead(502).end());
  proxy.on('connect', (request, socket) => {
    asked.add(String(request.url));
    socket.on('error', () => undefined).end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  const HTTPS_PROXY = (await listen(proxy)).replace('://', '://user:p%40ss@');
  const PLANT_STORE_TOKEN = formatToken(new Uint8Array(32));
  // The command adds to no_proxy.
  const own = { AWS_MAX_ATTEMPTS: '1', PLANT_STORE_TOKEN, HTTPS_PROXY, no_proxy: undefined };
  const env = { ...AWS, ...own, ...more };
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value);
  const result = await work();
  proxy.close();
  return { ...result, asked: [...asked] };
}

const runBehind = (name: string, args: readonly string[], env?: NodeJS.ProcessEnv) =>
  behindProxy(() => runHere(name, args), env);

const URL_OPTION = ['--url', 'https://plants.test'];
const STAGE_OPTION = ['--stage', 'prod'];
const OF_AWS = 'cloudformation.eu-west-1.amazonaws.com:443';
test.each([
  ['import', [...URL_OPTION, plants], 'plants.test:443', 'HTTPS_PROXY is set'],
  ['verify', URL_OPTION, 'plants.test:443', 'HTTPS_PROXY is set'],
  ['token', ['list', ...STAGE_OPTION], OF_AWS, 'check HTTPS_PROXY and NO_PROXY'],
])('%s sends through the proxy, and says in one line that it refuses', async (name, args, host, hint) => {
  const { code, asked, err } = await runBehind(name, args);
  expect([code, asked]).toEqual([1, [host]]);
  expect(err).toMatch(/^[^\n]+\b407\b[^\n]+\n$/);
  expect(err).toContain(hint);
  expect(err).not.toContain('p%40ss');
});

test('credentials of a profile with SSO are asked for through the proxy', async () => {
  const env = {
    ...awsHome(`[profile company]\n${SSO}`),
    AWS_PROFILE: 'company',
    AWS_ACCESS_KEY_ID: undefined,
  };
  const { code, asked } = await runBehind('doctor', STAGE_OPTION, env);
  expect([code, asked]).toEqual([1, ['portal.sso.eu-west-1.amazonaws.com:443']]);
});

test('a single request is sent through the proxy, too', async () => {
  const { asked } = await behindProxy(() => sendHttp('https://plants.test', {}).catch(() => undefined));
  expect(asked).toEqual(['plants.test:443']);
});

test('an import into an https address does not use the proxy of HTTP_PROXY', async () => {
  const env = { HTTPS_PROXY: undefined, HTTP_PROXY: 'http://127.0.0.1:1' };
  const { code, err } = await runBehind('import', ['--url', 'https://127.0.0.2:1', plants], env);
  expect(code).toBe(1);
  expect(err).toContain('connect ECONNREFUSED 127.0.0.2:1; HTTP_PROXY is set).');
});

test('a proxy of another kind is refused', async () => {
  const err = 'HTTPS_PROXY must be an HTTP proxy, such as http://proxy.example.com:3128.\n';
  const env = { HTTPS_PROXY: 'socks5://user:p%40ss@127.0.0.1:1' };
  expect(await runBehind('token', ['list', ...STAGE_OPTION], env)).toMatchObject({ code: 1, err });
});

test('this machine is reached without the proxy', async () => {
  const service = await startScriptedService(FERN);
  const url = service.url.replace('127.0.0.1', 'localhost');
  const args = ['--url', url, plants];
  expect(await runBehind('import', args, { HTTP_PROXY: 'http://127.0.0.1:1' })).toMatchObject({ code: 0 });
  await service.close();
});
