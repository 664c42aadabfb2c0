import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sendHttp } from '../contract/send-http.ts';
import { startHttpService } from '../test/support/http-service.ts';
import { startLocalProcess } from '../test/support/local-process.ts';
import { API_PAGE } from './api-page.ts';

const OPENAPI = readFileSync(new URL('../contract/openapi.yaml', import.meta.url), 'utf8');
const { url, token, close } = await startHttpService({ pages: [API_PAGE] });
afterAll(close);
const get = (path: string) => sendHttp(url, { method: 'GET', path });

// Forwarders send the name by which they reach the service, or their own.
test.each(['localhost:3000', '127.0.0.1:3000', 'anna-3000.forwarder.example'])(
  'the page is answered, and never with a token, for the host %s',
  async (host) => {
    for (const path of ['/docs', '/docs/page.js', '/openapi.json']) {
      const request = http.get(url + path, { headers: { host } });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      const body = await text(response);
      expect([path, response.statusCode, body.includes(token)]).toEqual([path, 200, false]);
    }
  },
);

test('openapi.yaml is the file itself, and openapi.json has the same content', async () => {
  expect((await get('/openapi.yaml')).body).toBe(OPENAPI);
  expect(JSON.parse((await get('/openapi.json')).body)).toEqual(parse(OPENAPI));
});

test('every resource of the page is served by this host, and its policy allows no other', async () => {
  const { headers, body } = await get('/docs');
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).not.toMatch(/unsafe|http|\*/);
  const named = [...body.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(5);
  for (const path of named) {
    // Relative, so that a forwarder may put a path in front.
    expect(path).not.toMatch(/^\/|:/);
    expect((await get(`/${path}`)).status, path).toBe(200);
  }
});

test("a path near that of the page is the gateway's", async () => {
  expect(await get('/docs/../local/start.ts')).toBeRefused(40401);
});

test('npm start prints the address of the page', async () => {
  const server = await startLocalProcess();
  const address = /API page +(\S+)/.exec(server.output())?.[1] ?? '';
  expect(address).toBe(`${server.url}/docs`);
  expect((await fetch(address)).headers.get('content-type')).toBe('text/html; charset=utf-8');
  await server.end('SIGINT');
});
