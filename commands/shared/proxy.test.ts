import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, setGlobalProxyFromEnv } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { obeyProxy } from '../../cli/proxy.ts';
import { is, stack, startAws } from '../../test/support/aws-stand-in.ts';
import { makeCertificate } from '../../test/support/certificate.ts';
import { listen } from '../../test/support/listen.ts';
import { startLocalProcess, temporaryFolder } from '../../test/support/local-process.ts';
import { npmRun } from '../../test/support/run-command.ts';

const folder = temporaryFolder();
const service = await startLocalProcess();
const aws = await startAws({
  ...stack('CREATE_COMPLETE', { AccessTokensTable: 'Tokens', BaseUrl: 'https://plants.test' }),
  Scan: is({ Items: [], Count: 0 }),
  GetCallerIdentity: is({ Account: '111122223333', Arn: 'arn:aws:sts::111122223333:assumed-role/Ops/ann' }),
});
/** Hosts that only the proxy reaches. */
const HOSTS: Readonly<Record<string, string>> = {
  'plants.test:443': service.url,
  'aws.test:443': aws.env.AWS_ENDPOINT_URL,
};
afterAll(async () => {
  aws.close();
  await service.end();
});

const { key, cert } = makeCertificate('DNS:plants.test,DNS:aws.test');
const NODE_EXTRA_CA_CERTS = path.join(folder, 'cert.pem');
writeFileSync(NODE_EXTRA_CA_CERTS, cert);

/** An HTTP proxy with a password that ends the TLS of its tunnels. @returns its variables, and the hosts that it was asked for */
async function startProxy() {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket: net.Socket) => {
    socket.on('error', () => undefined);
    const host = String(request.url);
    asked.push(host);
    const target = HOSTS[host];
    if (!target || request.headers['proxy-authorization'] !== `Basic ${btoa('user:p@ss')}`) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    const plain = new tls.TLSSocket(socket, { isServer: true, key, cert }).on('error', () => undefined);
    const onward = net.connect(Number(new URL(target).port), '127.0.0.1').on('error', () => undefined);
    plain.pipe(onward).pipe(plain);
  });
  const { host } = new URL(await listen(proxy));
  return { host, asked, url: `http://user:p%40ss@${host}`, close: () => void proxy.close() };
}

/** Runs a command behind a proxy. @returns also the hosts that the proxy was asked for */
async function runBehind(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const proxy = await startProxy();
  const AWS = { ...aws.env, AWS_ENDPOINT_URL: 'https://aws.test', AWS_ENDPOINT_URL_DYNAMODB: undefined };
  const HTTPS_PROXY = proxy.url;
  const ended = await npmRun(name, args, { env: { ...AWS, NODE_EXTRA_CA_CERTS, HTTPS_PROXY, ...env } });
  proxy.close();
  return { ...ended, err: ended.err.replaceAll(proxy.host, 'PROXY'), asked: [...new Set(proxy.asked)] };
}

const plants = path.join(folder, 'plants.ndjson');
writeFileSync(plants, '{"id":7,"name":"Fern"}\n');
const PLANT_STORE_TOKEN = service.token;

test.concurrent('import stores plants through the proxy', async () => {
  const { code, asked, err } = await runBehind('import', ['--url', 'https://plants.test', plants], {
    PLANT_STORE_TOKEN,
  });
  expect({ code, asked, err }).toEqual({ code: 0, asked: ['plants.test:443'], err: expect.any(String) });
  expect(await service.item('7')).toEqual({ id: '7', name: 'Fern' });
});

test.concurrent('verify tests a service through the proxy', async () => {
  const { all, asked } = await runBehind('verify', ['--url', 'https://plants.test'], { PLANT_STORE_TOKEN });
  expect(all).toContain('conforms to the contract');
  expect(asked).toEqual(['plants.test:443']);
});

test.concurrent('commands call AWS through the proxy, and the doctor the service', async () => {
  const tokens = await runBehind('token', ['list', '--stage', 'prod']);
  expect([tokens.code, tokens.asked]).toEqual([0, ['aws.test:443']]);
  const doctor = await runBehind('doctor', ['--stage', 'prod']);
  expect(doctor.asked.toSorted()).toEqual(['aws.test:443', 'plants.test:443']);
  expect(doctor.out).toMatch(/^same +response +url: https:\/\/plants.test, status: 400, error: 40101$/m);
});

test.concurrent('credentials of a profile with SSO are asked for through the proxy; a refusal is one line', async () => {
  const config = `[profile company]
sso_session = company
sso_account_id = 111122223333
sso_role_name = Operator
[sso-session company]
sso_start_url = https://company.awsapps.com/start
sso_region = eu-west-1
`;
  const cache = path.join(folder, '.aws/sso/cache');
  mkdirSync(cache, { recursive: true });
  writeFileSync(path.join(folder, '.aws/config'), config);
  const digest = createHash('sha1').update('company').digest('hex');
  const token = { accessToken: 'any', expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
  writeFileSync(path.join(cache, `${digest}.json`), JSON.stringify(token));
  const { code, err, asked } = await runBehind('doctor', ['--stage', 'prod'], {
    HOME: folder,
    AWS_PROFILE: 'company',
    AWS_CONFIG_FILE: undefined,
    AWS_ENDPOINT_URL: undefined,
    AWS_ACCESS_KEY_ID: undefined,
  });
  expect([code, asked]).toEqual([1, ['portal.sso.eu-west-1.amazonaws.com:443']]);
  expect(err).toMatch(
    /^Nothing was read: .*Failed to establish tunnel.*407.*; check HTTPS_PROXY and NO_PROXY\.\n$/,
  );
});

test.concurrent.each<[string, readonly string[], NodeJS.ProcessEnv, string]>([
  [
    'verify',
    ['--url', 'https://plants.test'],
    { HTTPS_PROXY: 'http://user:p%40ss@127.0.0.1:1' },
    'https://plants.test cannot be reached (connect ECONNREFUSED 127.0.0.1:1; HTTPS_PROXY is set).\n',
  ],
  [
    'token',
    ['list', '--stage', 'prod'],
    { HTTPS_PROXY: 'http://user:p%40ss@127.0.0.1:1' },
    'The stack PlantStore-prod cannot be looked up: connect ECONNREFUSED 127.0.0.1:1; check HTTPS_PROXY and NO_PROXY.\n',
  ],
  [
    'token',
    ['list', '--stage', 'prod'],
    { HTTPS_PROXY: 'socks5://user:p%40ss@127.0.0.1:1' },
    'HTTPS_PROXY must be an HTTP proxy, such as http://proxy.example.com:3128.\n',
  ],
  [
    'token',
    ['list', '--stage', 'prod'],
    { NODE_EXTRA_CA_CERTS: undefined },
    'The stack PlantStore-prod cannot be looked up: self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca; set NODE_EXTRA_CA_CERTS to the file of AWS_CA_BUNDLE.\n',
  ],
])('%s says in one line what is wrong: %j %j', async (name, args, env, line) => {
  const { code, err } = await runBehind(name, args, { PLANT_STORE_TOKEN, ...env });
  expect([code, err]).toEqual([1, line]);
});

test.concurrent('hosts of NO_PROXY, and this machine, are reached without it', async () => {
  const elsewhere = await runBehind('verify', ['--url', 'https://plants.test'], {
    PLANT_STORE_TOKEN,
    NO_PROXY: '.test',
  });
  expect(elsewhere.err).toMatch(/cannot be reached \(getaddrinfo/);
  const url = service.url.replace('127.0.0.1', 'localhost');
  const here = await runBehind('import', ['--url', url, plants], {
    PLANT_STORE_TOKEN,
    HTTP_PROXY: 'http://127.0.0.1:1',
  });
  expect([here.code, elsewhere.asked, here.asked]).toEqual([0, [], []]);
});

test.each([
  [
    { HTTPS_PROXY: 'proxy:3128' },
    { HTTPS_PROXY: 'http://proxy:3128', no_proxy: 'localhost,127.0.0.1,::1,[::1]' },
  ],
  [
    { http_proxy: 'http://p', NO_PROXY: 'a' },
    { http_proxy: 'http://p', NO_PROXY: 'a', no_proxy: 'a,localhost,127.0.0.1,::1,[::1]' },
  ],
  [
    { HTTP_PROXY: 'http://p', NO_PROXY: '*' },
    { HTTP_PROXY: 'http://p', NO_PROXY: '*' },
  ],
  [
    { HTTPS_PROXY: '', NO_PROXY: 'a' },
    { HTTPS_PROXY: '', NO_PROXY: 'a' },
  ],
])('%j becomes %j', async (env: NodeJS.ProcessEnv, after) => {
  await obeyProxy(env);
  setGlobalProxyFromEnv({});
  expect(env).toEqual(after);
});
