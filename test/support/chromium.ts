import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { isExhaustive } from './exhaustive.ts';
import { isThere } from './needs.ts';

/** Debian's Chromium, or the one that CHROMIUM names. No browser is downloaded. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Whether the browser tests run. REQUIRE_ALL=1, as in CI, requires it. */
export const hasChromium =
  isExhaustive('the tests in Chromium') &&
  isThere(existsSync(CHROMIUM), {
    tests: 'the tests in Chromium',
    why: `there is no Chromium at ${CHROMIUM} (apt-get install chromium).`,
    required: process.env.REQUIRE_ALL === '1',
  });

/** Starts a browser with a new profile. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    // No verdict may depend on the machine's speed.
    timeout: 0,
    // Without the last two, a second process draws each page in software, and the test takes twice as long.
    args: ['--disable-gpu', '--in-process-gpu', '--disable-software-rasterizer'],
  });
}
