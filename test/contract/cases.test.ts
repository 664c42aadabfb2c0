import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadCases } from '../../contract/cases.ts';
import { hasLimits, OPTIONAL_TEXT, TEXT } from '../../contract/examples.ts';
import { IS_NUMBER } from '../../contract/key.ts';
import { routeCases } from '../../contract/route-cases.ts';
import { ERRORS } from '../../lambda/published-errors.ts';
import { isThere } from '../support/needs.ts';

/** A table with one group. @param cases YAML, one case in braces each */
const table = (...cases: string[]): unknown =>
  parse(`- group: plants\n  cases:\n${cases.map((each) => `    - {${each}}\n`).join('')}`);

test('there are many cases, which cover every error that a request to the function can cause', () => {
  // The gateway, the firewall, the store and time cause the others.
  const isCausable = (error: number) => error < 42900 && error !== 40000 && error !== 40301;
  const causable = Object.values(ERRORS).flatMap(({ error }) => (isCausable(error) ? [error] : []));
  const cases = loadCases();
  const found = new Set(cases.map(({ expected }) => (expected.status === 400 ? expected.error : 200)));
  expect([...found].sort()).toEqual([200, ...causable]);
  expect(cases.length).toBeGreaterThanOrEqual(200);
});

test('each method that a path does not have is a case, and so are those of the root and of a single plant', () => {
  const { cases } = routeCases({ '/plants': { get: {}, post: {}, delete: {} }, '/plants/{id}': { put: {} } });
  expect(cases.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /',
    'POST /',
    'PUT /',
    'PATCH /',
    'DELETE /',
    'OPTIONS /',
    'GET /plants/⟨id 16106⟩',
    'POST /plants/⟨id 16107⟩',
    'PATCH /plants/⟨id 16108⟩',
    'DELETE /plants/⟨id 16109⟩',
    'OPTIONS /plants/⟨id 16110⟩',
    'PUT /plants',
    'PATCH /plants',
    'OPTIONS /plants',
  ]);
});

// verify-sends.test.ts tries that the ids which are sent are from a base on, too.
test.runIf(IS_NUMBER)(
  'the ids that are placeholders are expected in the table, or not in it, from a base on',
  () => {
    const written = table(
      `name: a, body: '{"id":⟨id 7⟩,"x":{"id":⟨id 8⟩}}', stored: ⟨id 8⟩`,
      `name: b, body: '{"id":⟨id 7⟩,"x":{"id":⟨id 8⟩}}'`,
      `name: c, body: '{"id":1e3}', stored: '1000'`,
      `name: d, path: /plants/⟨id 9⟩, body: '{"id":⟨id 7⟩}', error: 1, absent: '13'`,
      `name: e, given: ['{"id":⟨id 7⟩.0}'], body: '{"id":⟨id 7⟩,"x":⟨id 8⟩}', error: 1`,
    );
    const read = loadCases({ stored: 100n, refused: -200n }, written);
    const ids = read.map(({ expected }) => (expected.status === 200 ? expected.stored?.id : expected.absent));
    expect(ids).toEqual(['108', '107', '1000', ['-191', '-193', '13'], ['108']]);
  },
);

// At the end of a run, it says which cases are left out.
for (const name of [TEXT ?? '', OPTIONAL_TEXT ?? ''])
  isThere(!hasLimits(name), {
    tests: `the cases with a text that is too short or too long for ${name}`,
    why: 'it has limits, and a plant has no other such text.',
  });
isThere(IS_NUMBER, { tests: 'the cases about the digits of an id', why: 'an id is a text.' });
isThere(TEXT !== undefined, {
  tests: 'the cases about a required text, and the tests of rows and lines of an import',
  why: 'a plant has no required text that may be any.',
});
isThere(OPTIONAL_TEXT !== undefined, {
  tests: 'the cases about an optional text',
  why: 'a plant has none.',
});

test.runIf(TEXT)(
  'a case is left out if its text is optional and a plant has none, or has a length that the model does not allow, or an unknown name is that of a property, or an id is no number',
  () => {
    const written = table(
      `name: a, body: '{"id":⟨id 7⟩,⟨plant⟩,"⟨optional⟩":1}', error: 1, names: ⟨optional⟩`,
      `name: b, body: '{"id":⟨id 8⟩,"⟨text⟩":""⟨,rest⟩}'`,
      `name: c, body: '{"id":⟨id 9⟩,"⟨text⟩":"⟨x×9⟩"⟨,rest⟩}', error: 1`,
      `name: d, given: ['{"id":⟨id 10⟩,"⟨text⟩":"\\u0061b"⟨,rest⟩}'], body: '{"id":⟨id 10⟩,⟨plant⟩}', error: 1`,
      `name: e, body: '{"id":⟨id 11⟩,"⟨text⟩":"🌿"⟨,rest⟩}', plant: {⟨text⟩: 🌿}`,
      `name: f, body: '{"id":⟨id 12⟩,"⟨text⟩":null⟨,rest⟩}', error: 1`,
      `name: g, body: '{"⟨text⟩":""', error: 1`,
      `name: i, key: number, body: '{"id":⟨id 14⟩.0,⟨plant⟩}'`,
      `name: j, body: '{"id":⟨id 15⟩,"⟨text⟩":"x"⟨,rest⟩,"⟨unknown then⟩":1}'`,
      `name: k, body: '{"id":⟨id 16⟩,"⟨text⟩":"x"⟨,rest⟩,"⟨unknown toString⟩":1}'`,
      // It writes out the name, so it is about the limits.
      `name: h, body: '{"id":⟨id 13⟩,"${TEXT}":""⟨,rest⟩}', error: 1`,
    );
    const oneCharacter = (name: string, text: string) => name !== TEXT || [...text].length === 1;
    const read = loadCases(undefined, written, {
      isNumber: false,
      text: TEXT,
      optional: undefined,
      names: ['id', 'then'],
      fits: oneCharacter,
    });
    expect(read.map(({ name }) => name)).toEqual(['e', 'f', 'g', 'k', 'h']);
    expect(read[0]?.expected).toMatchObject({ stored: { [String(TEXT)]: '🌿' } });
  },
);

// Mistakes with which a case would pass without testing what it says.
test.each([
  ['stored with an error', "name: bad, error: 1, stored: '7'", '/stored'],
  ['an unknown placeholder', "name: bad, headers: {accept: '{tkoen}'}, error: 1", '/headers'],
  ['an unknown plant', 'name: bad, body: ⟨pant⟩, error: 1', '⟨pant⟩'],
  ['a literal id without stored', `name: bad, body: '{"id":7}'`, 'stored must say the id'],
])('%s is rejected, and the message names the case', (_, written, part) => {
  const problem = expect.stringMatching(new RegExp(`^Contract case "bad": .*${part}`));
  expect(() => loadCases(undefined, table(written))).toThrow(expect.objectContaining({ message: problem }));
});
