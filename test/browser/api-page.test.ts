import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalProcess, startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { storedItem } from '../support/test-service.ts';
import { axeViolations, hasChromium, startChromium } from './chromium.ts';

const ID = '9223372036854775807';
const LIGHT = { colorScheme: 'light', viewport: { width: 1280, height: 900 } } as const;
const DARK = { colorScheme: 'dark', viewport: { width: 1280, height: 900 } } as const;
const PHONE = { colorScheme: 'light', viewport: { width: 390, height: 844 } } as const;
const DARK_PHONE = { ...PHONE, colorScheme: 'dark' } as const;

describe.runIf(hasChromium)('the API page in a browser', () => {
  let server: LocalProcess;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startLocalProcess(temporaryFolder()), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end('SIGTERM');
  });

  /** Opens the page and notes down what must not happen on it. */
  async function open(look: object): Promise<{ page: Page; complaints: string[]; sent: string[] }> {
    const page = await browser.newPage(look);
    page.setDefaultTimeout(0);
    const complaints: string[] = [];
    const sent: string[] = [];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== server.url) complaints.push(`asked ${request.url()}`);
      if (request.method() === 'POST') sent.push(request.postData() ?? '');
    });
    await page.goto(`${server.url}/docs`);
    await page.waitForSelector('.opblock-body');
    return { page, complaints, sent };
  }

  async function authorise(page: Page, pasted: string = server.token): Promise<void> {
    await page.locator('.auth-wrapper .authorize').click();
    await page.getByLabel('Access token', { exact: true }).fill(pasted);
    expect(await axeViolations(page)).toEqual([]);
    await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Close' }).click();
  }

  /** @returns the status and the body that the page shows */
  async function create(page: Page, body: string): Promise<{ status: string; answer: unknown }> {
    await page.getByLabel('Request body', { exact: true }).fill(body);
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Execute' }).click();
    await answered;
    const shown = page.locator('.live-responses-table tbody');
    const status = (await shown.locator('.response-col_status').innerText()).trim();
    const text = await shown.locator('.response-col_description pre').first().innerText();
    return { status, answer: JSON.parse(text) };
  }

  test.each([
    ['light', LIGHT],
    ['dark', DARK],
    ['on a phone', PHONE],
    ['dark, on a phone', DARK_PHONE],
  ])('%s: authorise, create a plant, send a bad one; nothing is wrong with the page', async (_, look) => {
    const { page, complaints, sent } = await open(look);
    expect(await axeViolations(page)).toEqual([]);
    await authorise(page);
    await page.getByRole('button', { name: 'Try it out' }).click();

    const body = `{"id": ${ID}, "name": "Fern"}`;
    expect(await create(page, body)).toEqual({ status: '200', answer: { name: 'Fern' } });
    expect(sent).toEqual([body]);
    expect(await page.locator('.curl').innerText()).toContain(`-d '${body}'`);

    // Chromium itself notes each 400 in the console; nothing else may.
    const bad = await create(page, `{"id": ${ID}8, "name": "Fern"}`);
    expect(bad).toMatchObject({ status: '400', answer: { error: 40002 } });
    expect(complaints.filter((each) => !each.includes('the server responded with a status of 400'))).toEqual(
      [],
    );

    expect(await axeViolations(page)).toEqual([]);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(look.viewport.width);
    await page.close();
  });

  test('what was created on the page is in the table, digit for digit', async () => {
    const { endpoint, credentials } = server;
    const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
    expect(await storedItem(client, ID)).toEqual({ id: ID, name: 'Fern' });
    client.destroy();
  });

  test('it explains tokens, errors and sending a request again', async () => {
    const { page } = await open(LIGHT);
    for (const heading of ['Access tokens', 'Errors', 'Sending a request again']) {
      expect(await page.getByRole('heading', { name: heading }).isVisible(), heading).toBe(true);
    }
    expect(await page.locator('#words table tr').count()).toBe(15);
    await page.close();
  });

  test.each(['Bearer {token}', ' bearer  {token}\n', 'Authorization: Bearer {token}'])(
    'a token pasted as "%s" is understood, and survives a reload but not a logout',
    async (pasted) => {
      const { page } = await open(LIGHT);
      await authorise(page, pasted.replace('{token}', server.token));
      await page.reload();
      await page.waitForSelector('.opblock-body');
      await page.getByRole('button', { name: 'Try it out' }).click();
      expect(await create(page, '{"id": 3, "name": "Fern"}')).toEqual({
        status: '200',
        answer: { name: 'Fern' },
      });

      await page.locator('.auth-wrapper .authorize').click();
      await page.locator('.auth-btn-wrapper button', { hasText: 'Logout' }).click();
      await page.reload();
      await page.waitForSelector('.opblock-body');
      await page.getByRole('button', { name: 'Try it out' }).click();
      expect(await create(page, '{"id": 3, "name": "Fern"}')).toMatchObject({ answer: { error: 40101 } });
      await page.context().close();
    },
  );

  test.each([
    ['JavaScript', process.execPath, ['--input-type=module', '-e']],
    ['Python', 'python3', ['-c']],
  ])('the request is shown in %s, reached by keyboard, and runs', async (language, command, args) => {
    const { page } = await open(LIGHT);
    await authorise(page);
    await page.getByRole('button', { name: 'Try it out' }).click();
    const body = `{"id": ${ID}, "name": "Fern"}`;
    await create(page, body);
    await page.getByRole('button', { name: language, exact: true }).press('Enter');
    const sample = await page.locator('.request-snippets pre').innerText();
    expect(sample).toContain(JSON.stringify(body));
    // Where there is no Python, its sample is not run.
    const ran = await promisify(execFile)(command, [...args, sample]).catch((error) => {
      if (error.code === 'ENOENT' && command === 'python3') return undefined;
      throw error;
    });
    if (!ran) process.stderr.write('\nNot run: the sample in Python, because there is no python3.\n');
    else expect(ran.stdout).toBe('200 {"name":"Fern"}\n');
    await page.close();
  });
});
