import { describe, expect, test } from 'vitest';
import { Failure } from '../../../lambda/answer/errors.ts';
import { bearerToken, bodyText, requirePostPlants } from '../../../lambda/request/proxy-event.ts';
import { formatToken } from '../../../lambda/request/token-format.ts';

// Operations, tokens, media types, codings and UTF-8 are tested by the groups "methods and paths", "access tokens", "media
// types", "content codings" and "UTF-8" of contract/cases.yaml.

const TOKEN = formatToken(new Uint8Array(32).fill(1));

/** The error number that a step refuses with, and 200 where it does not. */
function errorOf(step: () => unknown): number {
  try {
    step();
    return 200;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.published.error;
  }
}

describe('the access token', () => {
  test.each([
    [`Bearer ${TOKEN}`, 200],
    [`bEARER    ${TOKEN}`, 200],
    ['', 40101],
    ['Bearer', 40101],
    ['Bearer ', 40101],
    ['Bearer     ', 40101],
    [`Basic ${TOKEN}`, 40101],
    [`Bearer${TOKEN}`, 40101],
    [`Bearer\t${TOKEN}`, 40101],
    [` Bearer ${TOKEN}`, 40101],
    [`Bearer ${TOKEN} `, 40102],
    [`Bearer ${TOKEN}\n`, 40102],
    [`Bearer \n${TOKEN}`, 40102],
    [`Bearer \u2028`, 40102],
    [`Bearer x`, 40102],
  ])('%j: %i', (authorization, error) => {
    expect(errorOf(() => bearerToken({ headers: { authorization } }))).toBe(error);
  });
});

describe('a header value of a megabyte takes no longer than reading it', () => {
  const million = 1_000_000;
  const values = [
    `Bearer${' '.repeat(million)}\n`,
    `Bearer${' '.repeat(million)}\u2028x`,
    `Bearer ${'plants_'.repeat(million / 7)}`,
    `Bearer ${'a'.repeat(million)}\n`,
    `application/${'a+'.repeat(million / 2)}`,
    `application/${'a'.repeat(million)}`,
    `application/${'+'.repeat(million)}json`,
    `application/json${' '.repeat(million)}x`,
    `application/json${'\t '.repeat(million / 2)}`,
    `${' '.repeat(million)}identity x`,
    `/${'/'.repeat(million)}plants`,
    '/plants'.repeat(million / 7),
  ];

  test.each(values.map((value) => [value.slice(0, 24), value]))('%j…', (_, value) => {
    const start = process.cpuUsage();
    errorOf(() => bearerToken({ headers: { authorization: value } }));
    errorOf(() => bodyText({ headers: { 'content-type': value }, body: '' }));
    errorOf(() => bodyText({ headers: { 'content-encoding': value }, body: '' }));
    errorOf(() => requirePostPlants({ httpMethod: 'POST', resource: '/plants', path: value }));
    const { user, system } = process.cpuUsage(start);
    // Microseconds. Each takes milliseconds; a pattern that tries every start again would take minutes.
    expect(user + system).toBeLessThan(2_000_000);
  });
});
