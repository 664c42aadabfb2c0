import { readFileSync } from 'node:fs';
import { UsageError } from '../../cli/command-line.ts';
import { onFile } from '../../cli/file-error.ts';
import { parseInt64 } from '../../lambda/property-types.ts';

const PLAIN = /^(0|-?[1-9]\d{0,18})$/;

/**
 * Reads an id on the command line, or in a file.
 * @returns its digits
 * @throws UsageError if it is not an int64 in plain digits
 */
export function idNamed(text: string, what = 'The id'): string {
  if (PLAIN.test(text) && typeof parseInt64(text) === 'bigint') return text;
  throw new UsageError(
    `${what} must be an integer from -9223372036854775808 to 9223372036854775807, in plain digits.`,
  );
}

/** Reads a file of ids, one a line. @throws UsageError at the first line that is none, or if there is none */
export function idsIn(file: string): string[] {
  const text = onFile(file, 'read', () => readFileSync(file, 'utf8'));
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const ids = new Set(lines.map((line, n) => idNamed(line, `${file}, line ${n + 1},`)));
  return [...ids];
}
