import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LEAST, OTHER } from '../../contract/examples.ts';
import { hasChromium, startChromium } from '../../test/support/chromium.ts';
import { type HttpService, startHttpService } from '../../test/support/http-service.ts';
import { listen } from '../../test/support/listen.ts';

const REQUEST_ID = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe.runIf(hasChromium)('in Chromium, a page of another origin', () => {
  let browser: Browser;
  let app: Server;
  let server: HttpService;
  /** One server under two names, which are two origins to a browser; the service allows the first. */
  let pages: { allowed: Page; stranger: Page };
  beforeAll(async () => {
    app = await makeApp();
    const { port } = new URL(await listen(app));
    const allowed = `http://localhost:${port}`;
    [server, browser] = await Promise.all([startHttpService({ allowedOrigins: [allowed] }), startChromium()]);
    pages = { allowed: await open(allowed), stranger: await open(`http://127.0.0.1:${port}`) };
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

  test.each(['', 'fetch: window.fetch'])(
    'an allowed origin creates a plant with the client: %s',
    async (options) => {
      const id = '9223372036854775807';
      expect(await create(pages.allowed, id, options)).toEqual(LEAST);
      expect(await server.item(id)).toEqual({ id, ...LEAST });
      expect(await create(pages.allowed, id, options, OTHER)).toEqual({
        error: 40901,
        requestId: REQUEST_ID,
      });
    },
  );

  test('an origin that is not allowed cannot send', async () => {
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
    const isClient = request.url === '/client.js';
    response.setHeader('content-type', isClient ? 'text/javascript' : 'text/html');
    response.end(isClient ? client : '<!doctype html><title>An app</title>');
  });
}
