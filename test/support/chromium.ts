import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { isExhaustive } from './exhaustive.ts';
import { isThere } from './needs.ts';

/** Debian's Chromium, or the one that CHROMIUM names. No browser is downloaded. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Whether the browser tests run. REQUIRE_BROWSER=1, as in CI, requires it. */
export const hasChromium =
  isExhaustive('the tests in Chromium') &&
  isThere(existsSync(CHROMIUM), {
    tests: 'the tests in Chromium',
    why: `there is no Chromium at ${CHROMIUM} (apt-get install chromium).`,
    required: process.env.REQUIRE_BROWSER === '1',
  });

/** Starts a browser with a new profile and without background requests. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    // No verdict may depend on the machine's speed.
    timeout: 0,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Without these two, a second process draws each page in software, and the test takes twice as long.
      '--in-process-gpu',
      '--disable-software-rasterizer',
      '--disable-extensions',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A script for a page: in the middle of a motion an element has a color and a place that it does not keep. */
export const NO_MOTION = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }');
  document.adoptedStyleSheets = [sheet];
`;

/** The faults that axe-core finds in a part of a page in its present state: labels, contrast and its other rules. */
export async function axeViolations(page: Page, selector: string): Promise<string[]> {
  // A new color scheme takes effect in the next frame.
  await page.evaluate('new Promise(requestAnimationFrame)');
  // Evaluated through the browser's protocol, because the page's own policy would refuse a script.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(selector)})`)) as {
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
