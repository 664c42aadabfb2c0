import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadCases, readCases } from '../../contract/cases.ts';
import { temporaryFolder } from '../support/local-process.ts';

const folder = temporaryFolder();

/** Loads a table with one group. @param cases YAML, one case in braces each */
function load(...cases: string[]) {
  const file = path.join(folder, 'cases.yaml');
  writeFileSync(file, `- group: plants\n  cases:\n${cases.map((each) => `    - ${each}\n`).join('')}`);
  return readCases(pathToFileURL(file));
}

const OK = "name: ok, body: '{}', error: 40002";

describe('the table of cases', () => {
  test('has at least 484 cases, which cover every error that a request to the function can cause', () => {
    const causable = [40001, 40002, 40101, 40102, 40401, 40901, 41301, 41501];
    const cases = loadCases();
    const found = new Set(cases.map(({ expected }) => (expected.status === 400 ? expected.error : 200)));
    expect([...found].sort()).toEqual([200, ...causable]);
    expect(cases.length).toBeGreaterThanOrEqual(484);
  });

  test('headers may be removed or repeated, bodies written as hex, and long texts as repetitions', () => {
    const [hex, large] = load(
      "{name: hex, hex: 'ff 00', headers: {content-type: null, x: [a, b]}, error: 1, absent: '-7'}",
      "{name: large, given: [⟨x×2⟩], body: '<⟨ab×2⟩>⟨z×0⟩⟨🌿×1⟩', bytes: 10, plant: {name: ⟨ab×2⟩}, stored: '0'}",
    );
    expect(hex?.body).toEqual(Buffer.of(0xff, 0));
    expect(hex?.headers).toEqual([
      ['authorization', 'Bearer {token}'],
      ['x', 'a'],
      ['x', 'b'],
    ]);
    expect([large?.body, ...(large?.given ?? [])].map(String)).toEqual(['<abab>🌿', 'xx']);
    expect(large?.expected).toEqual({ status: 200, plant: { name: 'abab' }, stored: '0' });
  });

  test('the id in the body is expected in the table, or not in it, unless it cannot be known', () => {
    const read = load(
      `{name: a, body: '{"id":7,"name":"x"}', plant: {name: x}}`,
      `{name: b, body: '{"id":1e3,"name":"x"}', plant: {name: x}}`,
      `{name: c, body: '{"id" : -8 }', error: 1}`,
      `{name: d, body: '{"id":7}', error: 1}`,
      `{name: e, body: '{"id":9,"x":{"id":10}}', error: 1}`,
      `{name: f, given: ['{"id":11.0}'], body: '{"id":11}', error: 1}`,
      `{name: g, body: '{"id":12}', error: 1, absent: '13'}`,
    );
    const ids = read.map(({ expected }) => (expected.status === 200 ? expected.stored : expected.absent));
    expect(ids).toEqual(['7', undefined, '-8', undefined, undefined, undefined, '13']);
  });

  // Mistakes with which a case might pass without testing what it says.
  test.each([
    ['an unknown field', "name: bad, bdoy: '{}', error: 1", 'bdoy'],
    ['no expectation', "name: bad, body: '{}'", "'plant'"],
    ['two expectations', 'name: bad, error: 1, plant: {name: x}', 'exactly one'],
    ['a plant that openapi.yaml does not allow', 'name: bad, plant: {tag: x}', '/plant .*name'],
    ['two bodies', "name: bad, body: '', hex: '', error: 1", 'false'],
    ['half a byte', "name: bad, hex: 'ff 0', error: 1", '/hex'],
    ['stored with an error', "name: bad, error: 1, stored: '7'", 'plant'],
    ['message with a plant', 'name: bad, plant: {name: x}, message: y', 'error'],
    ['absent with a plant', "name: bad, plant: {name: x}, absent: '7'", 'error'],
    ['a header in upper case', 'name: bad, headers: {Accept: x}, error: 1', '/headers'],
    ['a header with no value', 'name: bad, headers: {accept: []}, error: 1', '/headers'],
    ['an unknown placeholder', "name: bad, headers: {accept: '{tkoen}'}, error: 1", '/headers'],
    ['an unknown value of only', 'name: bad, only: htpp, error: 1', '/only'],
    [
      'a wrong number of bytes',
      'name: bad, body: ⟨x×3⟩, bytes: 4, error: 1',
      'bytes is 4, but the body has 3',
    ],
    ['bytes without a body', "name: bad, hex: 'ff', bytes: 1, error: 1", 'body'],
  ])('%s is rejected, and the message names the case', (_, written, part) => {
    const problem = expect.stringMatching(new RegExp(`^Contract case "bad": .*${part}`));
    expect(() => load(`{${OK}}`, `{${written}}`)).toThrow(expect.objectContaining({ message: problem }));
  });

  test('a missing name and a duplicate name are rejected', () => {
    expect(() => load('{error: 1}')).toThrow('name');
    expect(() => load(`{${OK}}`, `{${OK}}`)).toThrow('There are two contract cases "ok".');
  });
});
