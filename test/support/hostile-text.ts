import { expect } from 'vitest';

/** What a terminal would obey: a window title, a cleared screen, C1's own CSI, a reversed line, and others. */
export const HOSTILE =
  '\u001b]0;x\u0007\u001b[2J\u009b31m\u202eback\u2066\u200f\u061c\u0000\b\t\r\u007f\u0085\u2028end';
/** Latin-1 only, as in a header. */
export const HOSTILE_HEADER = 'text/\u009b31m';
/** All that a terminal may obey, written as in ECMA-48 and UAX #9. Output is compared as it left the process. */
export const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
/** Expects that the hostile text was printed, nothing of it as it was, and no line of its own. */
export function expectShown(printed: string, shown = '\\u009b31m'): void {
  expect(printed).toContain(shown);
  expect(OBEYED.exec(printed)).toBeNull();
  expect(printed).not.toMatch(/^forged/m);
}
