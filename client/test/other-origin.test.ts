import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LEAST, OTHER } from '../../contract/examples.ts';
import { IS_NUMBER, idJson } from '../../contract/key.ts';
import { listen } from '../../local/listen.ts';
import { hasChromium, startChromium } from '../../test/support/chromium.ts';
import { startHttpService } from '../../test/support/http-service.ts';

describe.runIf(hasChromium)('in Chromium, a page of another origin', () => {
  let browser: Browser;
  let app: Server;
  let server: Awaited<ReturnType<typeof startHttpService>>;
  /** One server under two names, which are two origins to a browser; the service allows the first. */
  let allowed: string;
  let stranger: string;
  beforeAll(async () => {
    app = await makeApp();
    stranger = await listen(app);
    allowed = stranger.replace('127.0.0.1', 'localhost');
    [server, browser] = await Promise.all([startHttpService({ allowedOrigins: [allowed] }), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    app?.closeAllConnections();
    app?.close();
    await server?.close();
  });

  /** Creates a plant with the client on a page. @returns the plant or the error, and what the console shows */
  async function create(origin: string, id: string, others = '', plant = LEAST) {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(origin);
    const options = `{ baseUrl: '${server.url}', token: '${server.token}', maxAttempts: 1, ${others} }`;
    const result = await page.evaluate(`(async () => {
      const { createPlantStore } = await import("/client.js");
      const read = ({ error, requestId, cause }) => ({ error, requestId, cause: cause?.name });
      return createPlantStore(${options}).createPlant({ id: ${idJson(id)}${IS_NUMBER ? 'n' : ''}, ...${JSON.stringify(plant)} }).catch(read);
    })()`);
    return { result, complaints: complaints.join('\n') };
  }

  test.each(['', 'fetch: window.fetch'])(
    'an allowed origin creates a plant with the client: %s',
    async (options) => {
      const id = '9223372036854775807';
      expect((await create(allowed, id, options)).result).toEqual(LEAST);
      expect(await server.item(id)).toEqual({ id, ...LEAST });
      const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);
      expect((await create(allowed, id, options, OTHER)).result).toEqual({ error: 40901, requestId });
    },
  );

  test('an origin that is not allowed cannot send', async () => {
    const { result, complaints } = await create(stranger, '7001');
    expect(result).toEqual({ error: 50401, requestId: undefined, cause: 'TypeError' });
    expect(complaints).toContain('blocked by CORS policy');
    expect(await server.item('7001')).toBeUndefined();
  });
});

/** Makes a server of an empty page, and of the client as a module. */
async function makeApp(): Promise<Server> {
  const entryPoints = [path.join(import.meta.dirname, '../src/index.ts')];
  const { outputFiles } = await build({ entryPoints, bundle: true, format: 'esm', write: false });
  return createServer((request, response) => {
    const isClient = request.url === '/client.js';
    response.setHeader('content-type', isClient ? 'text/javascript' : 'text/html');
    response.end(isClient ? outputFiles[0]?.text : '<!doctype html><title>An app</title>');
  });
}
