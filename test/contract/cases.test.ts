import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { loadCases, readCases } from '../../contract/cases.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

const folder = temporaryFolder();

/** Loads a table with one group. @param cases YAML, one case in braces each */
function load(...cases: string[]) {
  const file = path.join(folder, 'cases.yaml');
  writeFileSync(file, `- group: plants\n  cases:\n${cases.map((each) => `    - {${each}}\n`).join('')}`);
  return readCases(pathToFileURL(file));
}

test('there are at least 400 cases, which cover every error that a request to the function can cause', () => {
  const causable = [40001, 40002, 40101, 40102, 40401, 40901, 41301, 41501];
  const cases = loadCases();
  const found = new Set(cases.map(({ expected }) => (expected.status === 400 ? expected.error : 200)));
  expect([...found].sort()).toEqual([200, ...causable]);
  expect(cases.length).toBeGreaterThanOrEqual(400);
});

test('the id in the body is expected in the table, or not in it, unless it cannot be known', () => {
  const read = load(
    `name: a, body: '{"id":7,"name":"x"}', plant: {name: x}`,
    `name: b, body: '{"id":1e3,"name":"x"}', plant: {name: x}`,
    `name: c, body: '{"id" : -8 }', error: 1`,
    `name: d, body: '{"id":7}', error: 1`,
    `name: e, body: '{"id":9,"x":{"id":10}}', error: 1`,
    `name: f, given: ['{"id":11.0}'], body: '{"id":11}', error: 1`,
    `name: g, body: '{"id":12}', error: 1, absent: '13'`,
  );
  const ids = read.map(({ expected }) => (expected.status === 200 ? expected.stored : expected.absent));
  expect(ids).toEqual(['7', undefined, '-8', undefined, undefined, undefined, '13']);
});

// Mistakes with which a case would pass without testing what it says.
test.each([
  ['an unknown field', "name: bad, bdoy: '{}', error: 1", 'bdoy'],
  ['stored with an error', "name: bad, error: 1, stored: '7'", '/stored'],
  ['an unknown placeholder', "name: bad, headers: {accept: '{tkoen}'}, error: 1", '/headers'],
  ['an unknown plant', 'name: bad, body: ⟨pant⟩, error: 1', '⟨pant⟩'],
  ['an unknown value of only', 'name: bad, only: htpp, error: 1', '/only'],
  ['too few bytes', 'name: bad, body: ⟨x×3⟩, bytes: 4, error: 1', 'bytes is 4, but the body has 3'],
])('%s is rejected, and the message names the case', (_, written, part) => {
  const problem = expect.stringMatching(new RegExp(`^Contract case "bad": .*${part}`));
  expect(() => load(written)).toThrow(expect.objectContaining({ message: problem }));
});
