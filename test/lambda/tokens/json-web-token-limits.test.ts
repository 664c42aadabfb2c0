import { expect, test } from 'vitest';
import { ATTEMPT_MS } from '../../../lambda/limits.ts';
import * as limits from '../../../lambda/tokens/json-web-token-limits.ts';
import { read } from '../../support/project.ts';

test('after a failed load of the keys, the next one begins when both of its requests must have ended', () => {
  expect(2 * ATTEMPT_MS).toBeLessThan(limits.NO_KEY_SET_MS);
  expect(limits.NO_KEY_SET_MS).toBeLessThan(limits.KEY_SET_INTERVAL_MS);
  expect(limits.KEY_SET_INTERVAL_MS).toBeLessThan(limits.MAX_KEY_SET_AGE_MS);
});

test.each([
  `at most ${limits.MAX_JSON_WEB_TOKEN / 1024} KB;`,
  `Clocks may differ by ${limits.CLOCK_TOLERANCE_S} seconds`,
  `1 to ${limits.MAX_CLIENT_NAME} printable ASCII characters`,
  `at most once in ${limits.KEY_SET_INTERVAL_MS / 1000} seconds`,
])('the page says what the code does: %s', (text) => {
  expect(read('docs/identity-provider.md').replace(/\s+/g, ' ')).toContain(text);
});
