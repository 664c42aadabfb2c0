import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type PublishedErrorNumber, retryAfterOf } from '../../client/src/errors.ts';
import { ERRORS, type PublishedError } from '../../lambda/answer/errors.ts';

/** The client's numbers. The compiler detects a missing or an extra one. */
const CLIENT: Record<PublishedErrorNumber, true> = {
  40000: true,
  40001: true,
  40002: true,
  40101: true,
  40102: true,
  40301: true,
  40401: true,
  40901: true,
  41301: true,
  41501: true,
  42901: true,
  50001: true,
  50301: true,
  50401: true,
};
const PUBLISHED = Object.values<PublishedError>(ERRORS);

describe("the client's error table agrees with the service's", () => {
  test('it has the same numbers', () => {
    const published = PUBLISHED.map(({ error }) => error);
    expect(Object.keys(CLIENT).map(Number)).toEqual(published.sort());
  });

  test.each(PUBLISHED)('$error has the same time before a retry, or none', ({ error, retryAfter }) => {
    expect(retryAfterOf(error)).toBe(retryAfter);
  });

  test("the package's README has the same table", () => {
    const readme = readFileSync(new URL('../../client/README.md', import.meta.url), 'utf8');
    const rows = readme.split('\n').filter((line) => /^\| \d{5} \|/.test(line));
    const expected = PUBLISHED.map(
      ({ error, when, retryAfter }) =>
        `| ${error} | ${when} | ${retryAfter ? `yes, after ${retryAfter} s` : 'no'} |`,
    );
    expect(rows).toEqual(expected);
  });
});
