import { expect, test } from 'vitest';
import { read } from '../../test/support/project.ts';
import { ATTEMPT_TIMEOUT_MS, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, TIMEOUT_MS } from '../src/index.ts';

test.each([
  `retries included, in ms | ${TIMEOUT_MS} |`,
  `time for one attempt, in ms | ${ATTEMPT_TIMEOUT_MS} |`,
  `otherwise ${FIRST_PAUSE_MS} ms.`,
  `up to ${LONGEST_PAUSE_MS / 1000} s or`,
])('client/README.md agrees with the code: %s', (text) => {
  expect(read('client/README.md').replace(/\s+/g, ' ')).toContain(text);
});
