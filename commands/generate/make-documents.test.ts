import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { PlainError } from '../../cli/plain-error.ts';
import { parseErrors } from '../../contract/errors.ts';
import { parseContract } from '../../contract/openapi.ts';
import { ROUTES_IN_WORDS } from '../../lambda/routes.ts';
import { makeDocuments } from './make-documents.ts';
import { modelIn } from './model.ts';
import { modelSources } from './model-sources.ts';
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
    const without = (each: string) => (each === file ? read(each).replace(start, '') : read(each));
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

test('the table of properties says what is in a list and in an object', () => {
  const quux = `        quux:
          type: array
          maxItems: 9
          items:
            type: object
            required: [city]
            properties:
              city: { type: string, maxLength: 40 }
          description: Where it goes.
          examples: [[{ city: Rome }], [{ city: Oslo }]]
`;
  const contract = (file: string) =>
    file === 'contract/openapi.yaml'
      ? read(file).replace(/ NewPlant:[\s\S]*? properties:\n/, `$&${quux}`)
      : read(file);
  const made = makeDocuments(contract).find(({ file }) => file === 'docs/clients.md');
  expect(made?.text.split('\n').filter((line) => line.includes('`quux`'))).toEqual([
    '| `quux` | array of (object `city` (string, maxLength 40, required)), maxItems 9, optional | Where it goes |',
  ]);
});

const NEW_PLANT = `components:
  schemas:
    NewPlant:
      type: object
      required: [id, level]
      properties:
        id: { type: integer, format: int64, description: The id., examples: [1, 2] }
        level:
          type: string
          enum: [low, high]
          description: The level.
          examples: [low, high]
        stops:
          type: array
          items: { type: object, required: [city], properties: { city: { type: string, maxLength: 40 } } }
          maxItems: 9
          description: The stops.
          examples: [[{ city: Rome }], []]
        price: { type: number, multipleOf: 0.01, minimum: 0, maximum: 9.99, description: The price., examples: [1.5, 2] }
        geo:
          type: object
          properties: { coordinates: { type: array, items: { type: number, minimum: -180, maximum: 180 }, maxItems: 3 } }
          description: Where it is.
          examples: [{ coordinates: [2.3522, 48.8566] }, {}]
        seats: { type: integer, format: int32, maximum: 9, description: The seats., examples: [1, 2] }
`;

test('the properties of NewPlant become TypeScript for the function and for the client', () => {
  const [ofFunction, ofClient] = modelSources(modelIn(NEW_PLANT));
  for (const line of [
    "import { choice } from './property-types/choice.ts';",
    '  id: { type: integer(), required: true },',
    "  level: { type: choice('low', 'high'), required: true },",
    '    type: list(object({ city: { type: text({ maxLength: 40 }), required: true } }), { maxItems: 9 }),',
    '  price: { type: decimal({ places: 2, minimum: 0, maximum: 9.99 }), required: false },',
    '      coordinates: { type: list(double({ minimum: -180, maximum: 180 }), { maxItems: 3 }), required: false },',
    '  seats: { type: int32({ maximum: 9 }), required: false },',
  ])
    expect(ofFunction.text.split('\n')).toContain(line);
  for (const line of [
    'export const DOUBLES: Doubles = { geo: { coordinates: [true] } };',
    "  readonly level: 'low' | 'high';",
    '  readonly stops?: readonly { readonly city: string }[] | undefined;',
    '  readonly price?: number;',
    "  stops: { types: ['object'], required: false },",
  ])
    expect(ofClient.text.split('\n')).toContain(line);
});

// Each message names the line of the property.
test.each([
  ['items: {', 'minItems: 0 # {', '13: stops needs the keyword items'],
  ['maxItems: 9', 'minItems: 0', '13: stops needs the keyword maxItems'],
  ['[1.5, 2]', '[1.5, 1.5]', '19: price needs two examples that differ'],
  [
    '[1.5, 2]',
    '[1.5, 2.125]',
    '19: price has the example 2.125, which breaks its rules: price must be multiple of 0.01',
  ],
  [
    'city: Rome',
    'city: 7',
    '13: stops has the example [{"city":7}], which breaks its rules: stops/0/city must be string',
  ],
  ['maxLength: 40', 'nullable: true', '13: stops has the keyword nullable, which text does not have'],
  [
    'format: int64',
    'format: int16',
    '7: id has a type and format that no file of commands/generate/property-types/ has: integer needs format: int64 or int32',
  ],
  [
    'maxLength: 40',
    'format: time',
    '13: stops has a type and format that no file of commands/generate/property-types/ has: string may have format: date-time, date, uuid, email',
  ],
  [
    'type: array',
    'type: [array, object]',
    '13: stops has a type and format that no file of commands/generate/property-types/ has: there are string, integer, number, boolean, array and object',
  ],
  [
    'type: number',
    'type: bool',
    '19: price is no JSON Schema: type must be equal to one of the allowed values (array, boolean, integer, null, number, object, string)',
  ],
  [
    'enum: [low, high]',
    "pattern: '('",
    '8: level is no JSON Schema: Invalid regular expression: /(/u: Unterminated group',
  ],
  ['[1.5, 2] }', '[1.5, 2] }\n        color:', '20: color needs two examples that differ'],
  [
    'integer, format: int64, description: The id., examples: [1, 2]',
    'string, description: The id., examples: [a, b]',
    '7: id must be an int64, a UUID, or a text of up to 512 characters with a pattern that the empty text does not match',
  ],
  ['[id, level]', '[level]', '7: id must be required'],
  [
    'stops:',
    '__proto__:',
    '13: __proto__ is no name of a property, because JavaScript would take its value for the prototype of an object, and lose it: rename it',
  ],
  [
    'city: {',
    '__proto__: {',
    '13: stops has a property __proto__, which is no name of a property, because JavaScript would take its value for the prototype of an object, and lose it: rename it',
  ],
  [
    'stops:',
    "'7':",
    '13: 7 is no name of a property, because JavaScript would put it before the others: rename it',
  ],
  [
    'stops:',
    "'':",
    '13:  is no name of a property, because DynamoDB has no attribute without a name: rename it',
  ],
  [
    'stops:',
    'hasOwnProperty:',
    '13: hasOwnProperty is no name of a property, because redocly lint calls it: rename it',
  ],
  [
    'stops:',
    'refused:',
    '13: refused is no name of a property, because an import writes there why it refused a line: rename it',
  ],
  [
    'stops:',
    '"a\\tb":',
    '13: a\tb is no name of a property, because it has a control character, or ⟨ or ⟩: rename it',
  ],
  ['examples: [1, 2]', 'examples: 1', '7: id needs two examples that differ'],
  [
    'multipleOf: 0.01',
    'multipleOf: 0.5',
    '19: price needs a power of ten from 0.000001 to 1 as multipleOf, such as 0.01; without multipleOf it is a double',
  ],
  [
    'multipleOf: 0.01',
    'multipleOf: 0.0000001',
    '19: price needs a power of ten from 0.000001 to 1 as multipleOf, such as 0.01; without multipleOf it is a double',
  ],
  [
    'maximum: 9.99',
    'maximum: 10000000000000',
    '19: price may have more than the 15 digits of which a double loses none: write closer limits, or leave multipleOf out for a double',
  ],
  [
    'int32, maximum: 9',
    'int32, maximum: 2147483648',
    '25: seats has a limit that no int32 has: leave it out',
  ],
  [
    'multipleOf: 0.01',
    'format: float',
    '19: price has a type and format that no file of commands/generate/property-types/ has: number may have format: double',
  ],
  [
    'multipleOf: 0.01, minimum: 0, maximum: 9.99, description: The price., examples: [1.5, 2]',
    'description: The price., examples: [1.5, 9007199254740992]',
    '19: price has an example beyond ±9007199254740991, which the cases cannot write: choose smaller ones',
  ],
  [
    'format: int64',
    'format: int64, maximum: 9223372036854775807',
    '7: id has a limit that a double changes; every int64 is within the limits of its type: leave it out',
  ],
  ['[id, level]', '[id]', ' NewPlant requires nothing but id, so a response would confirm nothing'],
  ['[id, level]', '[id, color]', ' NewPlant requires color, which is none of its properties'],
])('%s that becomes %s is refused', (before, after, problem) => {
  expect(() => modelSources(modelIn(NEW_PLANT.replace(before, after)))).toThrow(
    `contract/openapi.yaml:${problem}.`,
  );
});

test.each([
  [
    'enum: [low, high]',
    'enum: [low, high',
    ':11: Flow sequence in block collection must be sufficiently indented and end with a ].',
  ],
  ['[low, high]', '[*low, high]', ': Unresolved alias (the anchor must be set before the alias): low.'],
  ['NewPlant', 'OldPlant', ' lacks components.schemas.NewPlant.'],
])('%s that becomes %s is no contract', (before, after, problem) => {
  expect(() => parseContract(NEW_PLANT.replace(before, after))).toThrow(
    new PlainError(`contract/openapi.yaml${problem}`),
  );
});
