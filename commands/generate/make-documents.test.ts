import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { PlainError } from '../../cli/plain-error.ts';
import { parseErrors } from '../../contract/errors.ts';
import { parseContract } from '../../contract/openapi.ts';
import { ROUTES_IN_WORDS } from '../../lambda/routes.ts';
import { withValue } from './contract-value.ts';
import { makeDocuments } from './make-documents.ts';
import { leftoverTypes } from './type-files.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const DOCUMENTS = makeDocuments(read);

test.each(DOCUMENTS)('$file has what its source says: npm run generate writes it', (made) => {
  expect(read(made.file), 'to mend it: npm run generate').toBe(made.text);
});

test('no file is left of a type that nothing uses: npm run generate removes it', () => {
  expect(leftoverTypes(DOCUMENTS, read)).toEqual([]);
});

const GONE = `  - error: 41001
    name: GONE
    message: The plant is gone; choose another id than ⟨routes⟩.
    when: the plant of this id was deleted
    do: Choose another id
`;

test('an error that is added to the list, wherever it stands there, is written in its place everywhere', () => {
  const list = read('contract/errors.yaml') + GONE;
  const made = makeDocuments((file) => (file === 'contract/errors.yaml' ? list : read(file)));
  const textOf = (file: string) => made.find((each) => each.file === file)?.text ?? '';
  const contract = textOf('contract/openapi.yaml');
  expect(contract).toMatch(
    /\n {6}\| 409\d\d \|.*\n {6}\| 41001 \| the plant of this id was deleted \| no \|\n {6}\| 41301 \|/,
  );
  const { responses } = parse(contract).paths['/plants'].post;
  const message = `The plant is gone; choose another id than ${ROUTES_IN_WORDS}.`;
  expect(responses['400'].content['application/json'].examples.error41001).toEqual({
    summary: '41001: the plant of this id was deleted',
    value: { error: 41001, message },
  });
  expect(textOf('docs/errors.md')).toContain(
    '\n| 41001 | the plant of this id was deleted | no | Choose another id |\n',
  );
  expect(textOf('lambda/published-errors.ts')).toMatch(
    /\n {2}GONE: \{\s+error: 41001,\s+message:\s+'The plant is gone; choose another id than POST \/plants.{0,200}',?\s+\},\n {2}TOO_LARGE/,
  );
  const client = textOf('client/src/published-errors.ts');
  expect(client).toContain('\n * - `41001` the plant of this id was deleted. Choose another id.\n');
  expect(client).toMatch(/\| 409\d\d\n {2}\| 41001\n/);
});

test.each([
  ['an error without a cell', [/ {4}do: Choose.*\n/, ''], "the error must have required property 'do'"],
  ['a word that is no field', ['do:', 'too:'], "the error must have required property 'do'"],
  ['one more field', ['do:', 'why: x\n    do:'], 'the error must NOT have additional properties'],
  ['a number that is a text', ['41001', "'41001'"], 'the error/error must be integer'],
  ['a number that is taken', ['41001', '40901'], 'another error has the number 40901 or the name GONE'],
  ['a name that is taken', ['GONE', 'TOO_LARGE'], 'another error has the number 41001 or the name TOO_LARGE'],
  [
    'a cell that ends a row',
    ['another id\n', 'a|b\n'],
    'the error/do must match pattern "^[^|\\n]*[^|\\n.]$"',
  ],
  [
    'another pause than its status has',
    ['41001', '42902'],
    'another error that begins with 429 has another retryAfter',
  ],
] as const)('%s is refused with its line', (_, [before, after], problem) => {
  const text = read('contract/errors.yaml');
  const { length } = text.split('\n');
  const wrong = text + GONE.replace(before as string, after);
  expect(() => parseErrors(wrong)).toThrow(new PlainError(`contract/errors.yaml:${length}: ${problem}.`));
});

test.each([
  [
    'errors: [',
    'contract/errors.yaml:1: Flow sequence in block collection must be sufficiently indented and end with a ].',
  ],
  ['errors: {}', 'contract/errors.yaml lacks the list errors.'],
])('%s is no list of errors', (text, problem) => {
  expect(() => parseErrors(text)).toThrow(new PlainError(problem));
});

test.each([
  ['contract/openapi.yaml', 'errors', '# made: errors'],
  ['docs/errors.md', 'errors', '<!-- made: errors'],
  ['docs/errors.md', 'errors', '\n|---'],
  ['docs/stage-settings.md', 'settings', '<!-- made: settings'],
  ['docs/clients.md', 'properties', '<!-- made: properties'],
])(
  'a document is named that lacks what is made in it, or finds its place: %s, %s, %s',
  (file, name, start) => {
    const without = (each: string) =>
      each === file ? read(each).replace(start, start.startsWith('#') ? '#' : '') : read(each);
    expect(() => makeDocuments(without)).toThrow(
      new PlainError(`${file} lacks the comment "made: ${name}" before a table: bring both back.`),
    );
  },
);

const MADE = [
  ['README.md', 'output', '<!-- made: output'],
  ['docs/clients.md', 'body', '<!-- made: body'],
  ['docs/clients.md', 'response', '\n```json'],
  ['docs/clients.md', 'names', '# made: names'],
  ['client/README.md', 'call', '// made: call'],
] as const;
test.each(MADE)(
  'a document is named that lacks the place of a block or a line: %s, %s, %s',
  (file, name, start) => {
    const without = (each: string) => (each === file ? read(each).replace(start, '') : read(each));
    expect(() => makeDocuments(without)).toThrow(
      new PlainError(`${file} lacks the comment "made: ${name}" before a block or a line: bring both back.`),
    );
  },
);

/** The contract with one more property of NewPlant, wherever the keywords of that stand. */
function contractWith(name: string, schema: object): string {
  const text = read('contract/openapi.yaml');
  const { properties } = parseContract(text).components.schemas.NewPlant;
  return withValue(text, ['components', 'schemas', 'NewPlant', 'properties'], {
    ...properties,
    [name]: schema,
  });
}

test('a bar in a description stays in its cell of the table, which is the same when it is made again', () => {
  const contract = contractWith('a|b', {
    type: 'string',
    description: 'One | another.',
    examples: ['a', 'b'],
  });
  const made = (text: string) =>
    makeDocuments((file) => {
      if (file === 'docs/clients.md') return text;
      return file === 'contract/openapi.yaml' ? contract : read(file);
    }).find(({ file }) => file === 'docs/clients.md')?.text ?? '';
  const once = made(read('docs/clients.md'));
  expect(once).toContain('\n| `a\\|b` | string, optional | One \\| another |\n');
  expect(made(once)).toBe(once);
});

test('the table of properties says what is in a list and in an object', () => {
  const city = { type: 'string', maxLength: 40 };
  const contract = contractWith('quux', {
    type: 'array',
    maxItems: 9,
    items: { type: 'object', required: ['city'], properties: { city } },
    description: 'Where it goes.',
    examples: [[{ city: 'Rome' }], [{ city: 'Oslo' }]],
  });
  const made = makeDocuments((file) => (file === 'contract/openapi.yaml' ? contract : read(file))).find(
    ({ file }) => file === 'docs/clients.md',
  );
  expect(made?.text.split('\n').filter((line) => line.includes('`quux`'))).toEqual([
    '| `quux` | array of (object `city` (string, maxLength 40, required)), maxItems 9, optional | Where it goes |',
  ]);
});
