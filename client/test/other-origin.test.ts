import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LEAST, OTHER } from '../../contract/examples.ts';
import { hasChromium, startChromium } from '../../test/support/chromium.ts';
import { type HttpService, startHttpService } from '../../test/support/http-service.ts';
import { listen } from '../../test/support/listen.ts';

/** Sends a request without the client, with spaces after the body. Returns the response and the readable headers. */
const SEND = `async (url, headers, body, spaces) => {
  const options = { method: 'POST', headers, body: body + ' '.repeat(spaces) };
  const response = await fetch(url + '/plants', options);
  const { error } = await response.json();
  const names = ['x-request-id', 'retry-after', 'x-amzn-remapped-www-authenticate'];
  return { status: response.status, error, headers: names.map((name) => response.headers.get(name)) };
}`;

const REQUEST_ID = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe.runIf(hasChromium)('in Chromium, a page of another origin', () => {
  let browser: Browser;
  let app: Server;
  let server: HttpService;
  /** One server under three names, which are three origins to a browser. */
  let origins: { first: string; second: string; stranger: string };
  let pages: Record<keyof typeof origins, Page>;
  beforeAll(async () => {
    app = await makeApp();
    const { port } = new URL(await listen(app));
    origins = {
      first: `http://localhost:${port}`,
      second: `http://127.0.0.1:${port}`,
      stranger: `http://stranger.localhost:${port}`,
    };
    const allowedOrigins = [origins.first, origins.second];
    [server, browser] = await Promise.all([startHttpService({ allowedOrigins }), startChromium()]);
    const [first, second, stranger] = await Promise.all([
      open(origins.first),
      open(origins.second),
      open(origins.stranger),
    ]);
    pages = { first, second, stranger };
  });
  afterAll(async () => {
    await browser?.close();
    app?.closeAllConnections();
    app?.close();
    await server?.close();
  });

  async function open(origin: string): Promise<Page> {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(origin);
    expect(await page.evaluate('location.origin')).toBe(origin);
    return page;
  }

  /** Creates a plant with the client on a page. */
  function create(page: Page, id: string, others = '', plant = LEAST): Promise<unknown> {
    const { url, token } = server;
    const options = `{ baseUrl: '${url}', token: '${token}', maxAttempts: 1, ${others} }`;
    return page.evaluate(`(async () => {
      const { createPlantStore } = await import("/client.js");
      const read = ({ error, requestId, cause }) => ({ error, requestId, cause: cause?.name });
      return createPlantStore(${options}).createPlant({ id: ${id}n, ...${JSON.stringify(plant)} }).catch(read);
    })()`);
  }

  /** Sends a request from a page with `fetch` alone. */
  function send(page: Page, headers: object, body: string, { url = server.url, spaces = 0 } = {}) {
    return page.evaluate(`(${SEND})(...${JSON.stringify([url, headers, body, spaces])})`);
  }

  test.each(['first', 'second'] as const)(
    'the %s of two allowed origins creates a plant with the client',
    async (name) => {
      const page = pages[name];
      const id = name === 'first' ? '9223372036854775807' : '9223372036854775806';
      expect(await create(page, id)).toEqual(LEAST);
      expect(await server.item(id)).toEqual({ id, ...LEAST });
      expect(await create(page, id, '', OTHER)).toEqual({ error: 40901, requestId: REQUEST_ID });
    },
  );

  test('it reads the numbers of errors, the challenge and the request id', async () => {
    const page = pages.second;
    const json = { 'content-type': 'application/json' };
    expect(await send(page, json, '{}')).toEqual({
      status: 400,
      error: 40101,
      headers: [REQUEST_ID, null, 'Bearer realm="plant-store"'],
    });
    const authorized = { ...json, authorization: `Bearer ${server.token}` };
    expect(await send(page, authorized, '{')).toEqual({
      status: 400,
      error: 40001,
      headers: [REQUEST_ID, null, null],
    });
  });

  test.each([
    ["accepts the page's own fetch", 'fetch: window.fetch', LEAST],
    ['is ended by an abort', 'signal: AbortSignal.abort()', { cause: undefined }],
    ['follows no redirect', 'baseUrl: location.origin + "/moved"', { error: 40000 }],
  ])('a call %s', async (_, options, expected) => {
    const { first } = pages;
    expect(await create(first, '4001', options)).toEqual(expected);
  });

  test('it retries after a broken connection', async () => {
    let sent = 0;
    await pages.first.route(`${server.url}/plants`, (route) => {
      sent += 1;
      return sent === 1 ? route.abort('connectionreset') : route.continue();
    });
    expect(await create(pages.first, '4002', 'maxAttempts: 2')).toEqual(LEAST);
    expect(sent).toBe(2);
    await pages.first.unroute(`${server.url}/plants`);
  });

  test('the first origin reads the gateway’s own responses; the second does not', async () => {
    const headers = { authorization: `Bearer ${server.token}` };
    const large = { spaces: 7_000_000 };
    const { first, second } = pages;
    expect(await send(first, headers, '', large)).toMatchObject({ status: 400, error: 41301 });
    await expect(send(second, headers, '', large)).rejects.toThrow('Failed to fetch');
  });

  test('an origin that is not allowed can neither send nor read', async () => {
    const page = pages.stranger;
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    expect(await create(page, '7001')).toEqual({
      error: 50401,
      requestId: undefined,
      cause: 'TypeError',
    });
    expect(complaints.join('\n')).toContain('blocked by CORS policy');
    expect(await server.item('7001')).toBeUndefined();
    // This request needs no preflight, so it is sent; its response cannot be read.
    await expect(send(page, {}, '{}')).rejects.toThrow('Failed to fetch');
  });
});

/** Makes a server of an empty page, and of the client as a module. */
async function makeApp(): Promise<Server> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, '../src/index.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const client = outputFiles[0]?.text;
  return createServer((request, response) => {
    if (request.url === '/moved/plants') return void response.writeHead(307, { location: '/' }).end();
    const isClient = request.url === '/client.js';
    response.setHeader('content-type', isClient ? 'text/javascript' : 'text/html');
    response.end(isClient ? client : '<!doctype html><title>An app</title>');
  });
}
