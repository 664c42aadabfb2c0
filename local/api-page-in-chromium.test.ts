import http from 'node:http';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, LEAST } from '../contract/examples.ts';
import { ERRORS } from '../lambda/published-errors.ts';
import { hasChromium, startChromium } from '../test/support/chromium.ts';
import { startHttpService } from '../test/support/http-service.ts';
import { API_PAGE } from './api-page.ts';
import { listen } from './listen.ts';

const STORED = { status: '200', response: LEAST };
const ID = '9223372036854775807';
const PHONE = { width: 390, height: 844 };

describe.runIf(hasChromium)('the API page in a browser', () => {
  let server: Awaited<ReturnType<typeof startHttpService>>;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startHttpService({ pages: [API_PAGE] }), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Opens the page in a context of its own, and records its faults, such as a request that its policy forbids. */
  async function open(address = server.url) {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${address}/docs`);
    await page.waitForSelector('.opblock-body');
    const operation = page.locator('#operations-plants-createPlant');
    return { page, operation, complaints };
  }

  /** Opens the dialog Authorize, does something in it, and closes it. */
  async function inDialog(page: Page, act: (dialog: Locator) => Promise<void>): Promise<void> {
    await page.locator('.auth-wrapper .authorize').click();
    const dialog = page.locator('.dialog-ux');
    await act(dialog);
    await dialog.locator('.auth-btn-wrapper').getByRole('button', { name: 'Close' }).click();
  }

  /** @returns the status and the body that the page shows */
  async function create(operation: Locator, body: string): Promise<{ status: string; response: unknown }> {
    // Otherwise the page shows the previous response until it has drawn the new one.
    const clear = operation.getByRole('button', { name: 'Clear' });
    if (await clear.isVisible()) await clear.click();
    await operation.getByLabel('Request body', { exact: true }).fill(body);
    const responded = operation.page().waitForResponse((response) => response.request().method() === 'POST');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await responded;
    const shown = operation.locator('.live-responses-table tbody');
    const status = String(await shown.locator('.response-col_status').textContent()).trim();
    const text = await shown.locator('.response-col_description pre').first().textContent();
    return { status, response: JSON.parse(String(text)) };
  }

  test('it explains the API, sends, shows a plant and a refusal, and keeps the token until a logout; on a phone, it does not scroll sideways', async () => {
    const { page, operation, complaints } = await open();
    for (const heading of ['Access tokens', 'Errors', 'Retries'])
      expect(await page.getByRole('heading', { name: heading }).isVisible(), heading).toBe(true);
    // With its head.
    expect(await page.locator('#words table tr').count()).toBe(Object.keys(ERRORS).length + 1);
    await inDialog(page, async (dialog) => {
      // As the printed curl command has it.
      const pasted = `Authorization: Bearer ${server.token}\n`;
      await dialog.getByLabel('Access token', { exact: true }).fill(pasted);
      await dialog.getByRole('button', { name: 'Authorize', exact: true }).click();
    });
    await operation.getByRole('button', { name: 'Try it out' }).click();

    const body = bodyOf(ID);
    expect(await create(operation, body)).toEqual(STORED);
    expect(await operation.locator('.curl').textContent()).toContain(`-d '${body}'`);
    expect(await server.item(ID)).toEqual({ id: ID, ...LEAST });
    const bad = await create(operation, '{}');
    expect(bad).toMatchObject({ status: '400', response: { error: 40002 } });
    // Chromium itself prints each 400 on the console; nothing else may.
    const others = complaints.filter((each) => !each.includes('the server responded with a status of 400'));
    expect(others).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width);

    const createAgain = async () => {
      await page.reload();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      return create(operation, body);
    };
    expect(await createAgain()).toEqual(STORED);
    await inDialog(page, (dialog) => dialog.locator('button', { hasText: 'Logout' }).click());
    expect(await createAgain()).toMatchObject({ response: { error: 40101 } });
    await page.close();
  });

  // As code-server, Jupyter or nginx do it.
  test('behind a forwarder that puts a path in front, it sends to this path', async () => {
    const forwarder = http.createServer((request, response) => {
      const { method, headers, url = '' } = request;
      const path = url.replace(/^\/proxy\/3000/, '');
      if (path === url) return void response.writeHead(404).end();
      const forwarded = http.request(server.url, { method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
      request.pipe(forwarded);
    });
    const { page, operation, complaints } = await open(`${await listen(forwarder)}/proxy/3000`);
    await operation.getByRole('button', { name: 'Try it out' }).click();
    expect(await create(operation, bodyOf(1))).toMatchObject({ response: { error: 40101 } });
    expect(complaints.filter((each) => !each.includes('a status of 400'))).toEqual([]);
    await page.close();
    forwarder.closeAllConnections();
    forwarder.close();
  });
});
