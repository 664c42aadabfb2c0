import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PlainError } from '../../cli/plain-error.ts';
import { parseContract } from '../../contract/openapi.ts';
import { makeDocuments } from './make-documents.ts';
import { modelIn } from './model.ts';
import { modelSources } from './model-sources.ts';
import { leftoverTypes } from './type-files.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const DOCUMENTS = makeDocuments(read);

test.each(DOCUMENTS)('$file has what its source says: npm run generate writes it', (made) => {
  expect(read(made.file), 'to mend it: npm run generate').toBe(made.text);
  expect(made.emptyRows, `write the empty cell of these rows of ${made.file}`).toEqual([]);
});

test('no file is left of a type that nothing uses: npm run generate removes it', () => {
  expect(leftoverTypes(DOCUMENTS, read)).toEqual([]);
});

test('a new error gets a row in both tables, whose empty cell is named until somebody writes it', () => {
  const before = (file: string) => read(file).replaceAll(/^ *\| 42901 \|.*\n/gm, '');
  const [contract, guide, ...rest] = makeDocuments(before);
  expect(contract).toMatchObject({ file: 'contract/openapi.yaml', emptyRows: ['42901'] });
  expect(contract?.text).toContain('\n      | 42901 |  | yes, after 1 s |\n');
  expect(guide).toMatchObject({ file: 'docs/errors.md', emptyRows: ['42901'] });
  expect(guide?.text).toContain('\n| 42901 |  | yes, after 1 s |  |\n');
  const after = (file: string) =>
    ({ [contract?.file ?? '']: contract?.text, [guide?.file ?? '']: guide?.text })[file] ?? read(file);
  expect(makeDocuments(after).map(({ emptyRows }) => emptyRows)).toEqual([
    ['42901'],
    ['42901'],
    ...rest.map(() => []),
  ]);
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

test.each([
  ['README.md', 'output', '<!-- made: output'],
  ['docs/clients.md', 'body', '<!-- made: body'],
  ['docs/clients.md', 'response', '\n```json'],
  ['docs/clients.md', 'names', '# made: names'],
  ['client/README.md', 'call', '// made: call'],
])('a document is named that lacks the place of a block or a line: %s, %s, %s', (file, name, start) => {
  const without = (each: string) => (each === file ? read(each).replace(start, '') : read(each));
  expect(() => makeDocuments(without)).toThrow(
    new PlainError(`${file} lacks the comment "made: ${name}" before a block or a line: bring both back.`),
  );
});

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
`;

test('the properties of NewPlant become TypeScript for the function and for the client', () => {
  const [ofFunction, ofClient] = modelSources(modelIn(NEW_PLANT));
  for (const line of [
    "import { choice } from './property-types/choice.ts';",
    '  id: { type: integer(), required: true },',
    "  level: { type: choice('low', 'high'), required: true },",
    '    type: list(object({ city: { type: text({ maxLength: 40 }), required: true } }), { maxItems: 9 }),',
    '  price: { type: decimal({ places: 2, minimum: 0, maximum: 9.99 }), required: false },',
  ])
    expect(ofFunction.text.split('\n')).toContain(line);
  for (const line of [
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
    'format: int32',
    '7: id has a type and format that no file of commands/generate/property-types/ has: integer needs format: int64',
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
  ['examples: [1, 2]', 'examples: 1', '7: id needs two examples that differ'],
  ['multipleOf: 0.01', 'multipleOf: 0.5', '19: price needs a power of ten as multipleOf, such as 0.01'],
  [
    'format: int64',
    'format: int64, maximum: 9223372036854775807',
    '7: id has a limit that a double changes; every int64 is within the limits of its type',
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
