import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ERRORS, type PublishedError } from '../lambda/answer/errors.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const SCRIPTS: Record<string, string> = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).scripts;

describe('the README says what the code does', () => {
  test('its table of errors has each published error, and no other', () => {
    const rows = README.split('\n').filter((line) => /^\| \d{5} \|/.test(line));
    const published = Object.values<PublishedError>(ERRORS).map(
      ({ error, when, retryAfter }) =>
        `| ${error} | ${when} | ${retryAfter ? `yes, after ${retryAfter} s` : 'no'} |`,
    );
    expect(rows).toEqual(published);
  });

  test('every script that it names exists', () => {
    const named = [...README.matchAll(/npm (?:run )?([a-z:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => name !== 'ci' && !(name in SCRIPTS))).toEqual([]);
  });

  test('every file that it links to exists', () => {
    const links = [...README.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link);
    for (const link of links)
      expect(() => readFileSync(new URL(`../${link}`, import.meta.url)), link).not.toThrow(/ENOENT/);
    expect(links.length).toBeGreaterThan(3);
  });
});
