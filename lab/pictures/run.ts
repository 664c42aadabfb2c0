/** `npm run lab -- pictures`: draws the pictures of the README from the service as it is now. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../terminal/command-line.ts';

const PICTURES = path.join(import.meta.dirname, '../../docs/pictures');

await runCommand(
  {
    usage: 'npm run lab -- pictures',
    about: `Writes docs/pictures/start.svg, a recording of npm start and of the README's requests, and docs/pictures/docs.png, the
API page in Chromium.`,
    options: {},
  },
  async () => {
    const { drawn, record } = await import('./recording.ts');
    writeFileSync(path.join(PICTURES, 'start.svg'), drawn(await record()));
    await photographPage(path.join(PICTURES, 'docs.png'));
  },
);

async function photographPage(file: string): Promise<void> {
  const { NO_MOTION, startChromium } = await import('../../test/support/chromium.ts');
  const { startLocalProcess } = await import('../../test/support/local-process.ts');
  const [service, browser] = await Promise.all([startLocalProcess(), startChromium()]);
  const page = await browser.newPage({ viewport: { width: 1000, height: 895 }, colorScheme: 'light' });
  await page.addInitScript(NO_MOTION);
  await page.goto(`${service.url}/docs`);
  await page.waitForSelector('.opblock-body');
  await page.screenshot({ path: file });
  await Promise.all([browser.close(), service.end()]);
}
