import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { ERRORS, type PublishedError } from '../../lambda/errors.ts';
import { type PublishedErrorNumber, retryAfterOf } from '../src/errors.ts';

const NUMBERS = [
  40000, 40001, 40002, 40101, 40102, 40301, 40401, 40901, 41301, 41501, 42901, 50001, 50301, 50401,
] as const;
const PUBLISHED = Object.values<PublishedError>(ERRORS);

describe("the client's error table agrees with the service's", () => {
  test('it has the same numbers', () => {
    expect(PUBLISHED.map(({ error }) => error)).toEqual(NUMBERS);
    // Checked by the compiler.
    expectTypeOf<PublishedErrorNumber>().toEqualTypeOf<(typeof NUMBERS)[number]>();
  });

  test.each(PUBLISHED)('$error has the same time before a retry, or none', ({ error, retryAfter }) => {
    expect(retryAfterOf(error)).toBe(retryAfter);
  });

  test("the package's README has the same table", () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const rows = readme.split('\n').filter((line) => /^\| \d{5} \|/.test(line));
    const expected = PUBLISHED.map(
      ({ error, when, retryAfter }) =>
        `| ${error} | ${when} | ${retryAfter ? `yes, after ${retryAfter} s` : 'no'} |`,
    );
    expect(rows).toEqual(expected);
  });
});
