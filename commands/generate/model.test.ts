import { expect, test } from 'vitest';
import { PlainError } from '../../cli/plain-error.ts';
import { parseContract } from '../../contract/openapi.ts';
import { readModel } from './model.ts';
import { modelSources } from './model-sources.ts';

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
  const [ofFunction, ofClient] = modelSources(readModel(NEW_PLANT).properties);
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

/** What is wrong with it, a line each, without the name of the file. */
function faultsIn(contract: string): string[] {
  try {
    readModel(contract);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(PlainError);
    return (error as PlainError).message
      .split('\n')
      .map((line) => line.replace('contract/openapi.yaml:', ''));
  }
}

// Each names the line of the property or of its keyword, the property, and what to write.
test.each([
  ['items: {', 'minItems: 0 # {', '13: stops needs the keyword items: write the type of the items.'],
  [
    'maxItems: 9',
    'minItems: 0',
    '13: stops needs the keyword maxItems: write how many items there are at most.',
  ],
  ['[1.5, 2]', '[1.5, 1.5]', '19: price needs two examples that differ: write examples: [one, another].'],
  [
    'examples: [1, 2]',
    'examples: 1',
    '7: id needs two examples that differ: write examples: [one, another].',
  ],
  [
    '[1.5, 2] }',
    `[1.5, 2] }
        color:`,
    '20: color has no type: write string, integer, number, boolean, array or object.',
    '20: color needs a description: write what it is.',
    '20: color needs two examples that differ: write examples: [one, another].',
  ],
  [
    '[1.5, 2]',
    '[1.5, 2.125]',
    '19: price has the example 2.125, which is refused (price must be a number from 0 to 9.99 with at most 2 decimal places): correct it.',
  ],
  [
    'city: Rome',
    'city: 7',
    '13: stops has the example [{"city":7}], which is refused (stops[0].city must be a string of at most 40 characters): correct it.',
  ],
  [
    '[1.5, 2]',
    '[1.5, ⟨x⟩]',
    '19: price has the example "⟨x⟩", which is refused (price must be a number from 0 to 9.99 with at most 2 decimal places): correct it.',
    '19: price has an example with ⟨ or ⟩, in which the cases have placeholders: write another one.',
  ],
  [
    'multipleOf: 0.01, minimum: 0, maximum: 9.99, description: The price., examples: [1.5, 2]',
    'description: The price., examples: [1.5, 9007199254740992]',
    '19: price has an example beyond ±9007199254740991, which the cases cannot write: write smaller ones.',
  ],
  [
    'maxLength: 40',
    'default: Rome',
    '15: stops[].city has the keyword default, which text does not have: leave it out, and let the client send the value: two versions with different defaults would take a retry for another plant.',
  ],
  [
    'maxLength: 40',
    'format: time',
    '15: stops[].city has the type string with format: time: write one of date-time, date, duration, uuid, email, uri, or a pattern with maxLength in place of the format.',
  ],
  [
    'format: int64',
    'format: int16',
    '7: id has the type integer with format: int16: write int64 or int32.',
    '7: id must be an int64, a UUID, or a text of up to 512 characters with a pattern that the empty text does not match: write one of these.',
  ],
  [
    'format: int64',
    'format: int32',
    '7: id must be an int64, a UUID, or a text of up to 512 characters with a pattern that the empty text does not match: write one of these.',
  ],
  [
    'type: array',
    'type: [array, object]',
    '13: stops has the type ["array","object"]: write one type, such as string for a text that holds JSON; only a property may also be null, and is then optional.',
  ],
  [
    'type: number',
    'type: bool',
    '19: price has the type bool: write string, integer, number, boolean, array or object.',
  ],
  [
    'multipleOf: 0.01',
    'format: float',
    '19: price has the type number with format: float: write double, or leave the format out.',
  ],
  [
    'multipleOf: 0.01',
    'multipleOf: 0.0000001',
    '19: price has a multipleOf that is no power of ten from 0.000001 to 1: write one, such as 0.01, or leave it out for a double.',
  ],
  [
    'maximum: 9.99',
    'maximum: 10000000000000',
    '19: price may have more than the 15 digits of which a double loses none: write closer limits, or leave multipleOf out for a double.',
  ],
  [
    'int32, maximum: 9',
    'int32, maximum: 2147483648',
    '25: seats has a limit that no int32 has: leave it out.',
  ],
  [
    'format: int64',
    'format: int64, maximum: 9223372036854775807',
    '7: id has a limit that a double changes: leave it out; every int64 is within the limits of its type.',
  ],
  ['[id, level]', '[level]', '7: id must be required: write it into required.'],
  [
    '[id, level]',
    '[id]',
    '5: NewPlant requires nothing but id that may have two values, so a response would confirm nothing: require another property.',
  ],
  [
    '[id, level]',
    '[id, color]',
    '5: NewPlant requires color, which is none of its properties: write it, or leave it out of required.',
  ],
  [
    'stops:',
    '__proto__:',
    '13: __proto__ is no name of a property, because JavaScript would take its value for the prototype of an object, and lose it: rename it.',
  ],
  [
    'city: {',
    '__proto__: {',
    '15: stops[] requires city, which is none of its properties: write it, or leave it out of required.',
    '15: stops[].__proto__ is no name of a property, because JavaScript would take its value for the prototype of an object, and lose it: rename it.',
  ],
  [
    'stops:',
    "'7':",
    '13: 7 is no name of a property, because JavaScript would put it before the others: rename it.',
  ],
  [
    'stops:',
    "'':",
    '13:  is no name of a property, because DynamoDB has no attribute without a name: rename it.',
  ],
  [
    'stops:',
    'hasOwnProperty:',
    '13: hasOwnProperty is no name of a property, because redocly lint calls it: rename it.',
  ],
  [
    'stops:',
    'refused:',
    '13: refused is no name of a property, because an import writes there why it refused a line: rename it.',
  ],
  [
    'stops:',
    '"a\\tb":',
    '13: a\tb is no name of a property, because it has a control character, or ⟨ or ⟩: rename it.',
  ],
  [
    `level:
          type: string
          enum: [low, high]`,
    `level:
          type: string
          enum: [7]`,
    '8: level has an enum with other values than texts: write texts.',
    '8: level has the example "low", which is refused (level must be equal to one of the allowed values): correct it.',
    '8: level has the example "high", which is refused (level must be equal to one of the allowed values): correct it.',
  ],
  [
    'type: string, maxLength: 40',
    'type: object, additionalProperties: { type: string }',
    '13: stops has the example [{"city":"Rome"}], which is refused (stops/0/city must be object): correct it.',
    '15: stops[].city needs the keyword maxProperties: write how many entries there are at most.',
    "15: stops[].city needs the keyword propertyNames: write propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$' }.",
  ],
  [
    'enum: [low, high]',
    'enum: [low]',
    '5: NewPlant requires nothing but id that may have two values, so a response would confirm nothing: require another property.',
    '8: level has the example "high", which is refused (level must be one of "low"): correct it.',
  ],
  [
    'city: Rome',
    'zip: x, city: Rome',
    '13: stops has the example [{"zip":"x","city":"Rome"}], which is refused (a part of it has no property, and is not kept): correct it.',
  ],
  [
    'enum: [low, high]',
    `minLength: 200
          x: 1`,
    '8: level has the example "low", which is refused (level must NOT have fewer than 200 characters): correct it.',
    '8: level has the example "high", which is refused (level must NOT have fewer than 200 characters): correct it.',
    '11: level has the keyword x, which text does not have: leave it out, or write the rule at the end of lambda/request/check-plant.ts.',
  ],
  [
    'type: integer, format: int32, maximum: 9',
    'enum: [1, 9007199254740992]',
    '25: seats has an enum with other values than integers up to ±9007199254740991: write such integers.',
    '25: seats has the example 2, which is refused (seats must be equal to one of the allowed values): correct it.',
  ],
  [
    'enum: [low, high]',
    "pattern: '('",
    '8: level needs the keyword maxLength: write the length of the longest text, because the time of a pattern may grow with it.',
    '8: level has a pattern that is no regular expression: correct it.',
  ],
  [
    'enum: [low, high]',
    `pattern: '('
          maxLength: 9`,
    '8: level has a pattern that is no regular expression: correct it.',
  ],
  [
    'enum: [low, high]',
    'enum: [low, 7]',
    '8: level has an enum with other values than texts: write texts.',
    '8: level has the example "high", which is refused (level must be equal to one of the allowed values): correct it.',
  ],
  ['enum: [low, high]', 'minLength: -1', '8: level is no JSON Schema (minLength must be >= 0): correct it.'],
  [
    `type: string
          enum: [low, high]`,
    "$ref: '#/components/schemas/Level'",
    '9: level has a $ref that is not in this document, refers to itself, or differs in a keyword from what stands beside it: write the schema here.',
  ],
  [
    `type: string
          enum: [low, high]`,
    "$ref: 'https://example.com/level.json'",
    '9: level has a $ref that is not in this document, refers to itself, or differs in a keyword from what stands beside it: write the schema here.',
  ],
  [
    `type: string
          enum: [low, high]`,
    "$ref: '#/components/schemas/NewPlant/properties/level'",
    '9: level has a $ref that is not in this document, refers to itself, or differs in a keyword from what stands beside it: write the schema here.',
  ],
  [
    `type: string
          enum: [low, high]`,
    'oneOf: [{ type: string }, { type: integer }]',
    '9: level has the keyword oneOf: write one object with the properties of all variants: those of some of them are optional, and an enum says which one it is; then write the rule at the end of lambda/request/check-plant.ts.',
  ],
  [
    `type: string
          enum: [low, high]`,
    "anyOf: [{ type: string }, { type: 'null' }]",
    '5: NewPlant requires nothing but id that may have two values, so a response would confirm nothing: require another property.',
  ],
  [
    `type: string
          enum: [low, high]`,
    "allOf: [{ $ref: '#/components/schemas/NewPlant/properties/geo' }]",
    '8: level has the example "low", which is refused (level must be an object): correct it.',
    '8: level has the example "high", which is refused (level must be an object): correct it.',
  ],
  [
    `type: string
          enum: [low, high]`,
    'const: low',
    '5: NewPlant requires nothing but id that may have two values, so a response would confirm nothing: require another property.',
    '8: level has the example "high", which is refused (level must be one of "low"): correct it.',
  ],
  [
    `type: string
          enum: [low, high]`,
    "type: [string, 'null']",
    '5: NewPlant requires nothing but id that may have two values, so a response would confirm nothing: require another property.',
  ],
  [
    'type: number, multipleOf: 0.01, minimum: 0, maximum: 9.99',
    'type: integer',
    '19: price has the example 1.5, which is refused (price must be an integer from -9223372036854775808 to 9223372036854775807, without a fraction): correct it.',
  ],
  [
    'type: number, multipleOf: 0.01, minimum: 0, maximum: 9.99',
    'enum: [1, 2]',
    '19: price has the example 1.5, which is refused (price must be one of 1, 2): correct it.',
  ],
  [
    'type: number, multipleOf: 0.01',
    'type: number, multipleOf: 0.5',
    '19: price has a multipleOf that is no power of ten from 0.000001 to 1: write one, such as 0.01, or leave it out for a double.',
  ],
  [
    'type: number, multipleOf: 0.01',
    'type: number, exclusiveMinimum: 0, multipleOf: 0.01',
    '19: price has the keyword exclusiveMinimum, which decimal does not have: write minimum or maximum: of integers the next one; of other numbers beside it, write the rule at the end of lambda/request/check-plant.ts.',
  ],
  [
    'type: integer, format: int32',
    'type: integer, format: int32, enum: [1, 2]',
    '25: seats has an enum with int32: write format: int64.',
  ],
  [
    'type: string, maxLength: 40',
    "type: array, maxItems: 1, items: { type: [string, 'null'] }",
    '13: stops has the example [{"city":"Rome"}], which is refused (stops/0/city must be array): correct it.',
    '15: stops[].city[] has the type ["string","null"]: write one type, such as string for a text that holds JSON; only a property may also be null, and is then optional.',
  ],
  [
    'type: object, required: [city], properties: {',
    'type: object, required: [city, zip], additionalProperties: false, properties: {',
    `13: stops has the example [{"city":"Rome"}], which is refused (stops/0 must have required property 'zip'): correct it.`,
    '15: stops[] has the keyword additionalProperties, which object does not have: leave it out: unknown properties are accepted, so that two versions can be live; a map has only entries of one type.',
    '15: stops[] requires zip, which is none of its properties: write it, or leave it out of required.',
  ],
  [
    'type: object, required: [city], properties: { city: { type: string, maxLength: 40 } }',
    'type: object',
    "15: stops[] needs the keyword properties: write its properties; or additionalProperties with the type of the values of a map, maxProperties, and propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$' }; or type: string for a text that holds JSON.",
  ],
  [
    'properties: { coordinates:',
    'properties: { constructor: { type: object, properties: { name: { type: string } } }, coordinates:',
    '20: geo has a constructor with a name, which the SDK would take for that of a class: rename one.',
  ],
  [
    '      required: [id, level]',
    `      additionalProperties: false
      minProperties: 2
      dependentRequired: { price: [stops] }
      required: [id, level]`,
    '5: NewPlant has the keyword additionalProperties: leave it out: unknown properties are accepted, so that two versions can be live; a map has only entries of one type.',
    '6: NewPlant has the keyword minProperties: leave it out, and write the rule at the end of lambda/request/check-plant.ts.',
    '7: NewPlant has the keyword dependentRequired: leave it out, and write the rule at the end of lambda/request/check-plant.ts.',
  ],
  [
    'type: integer, format: int64, description: The id., examples: [1, 2]',
    "type: string, pattern: '^[a-z]+$', maxLength: 9, description: The id., examples: [a, b]",
    "7: id cannot be numbered by the tests (contract/openapi.yaml: the first example of NewPlant's id, a, needs 8 digits that may be any digit: tests number their ids by them): write other examples.",
  ],
  [
    `      type: object
      required`,
    `      type: array
      required`,
    '4: NewPlant has the keyword type: write object.',
  ],
  [
    '        id: {',
    '        key: {',
    '3: NewPlant needs the property id, the key of the table: write it.',
    '5: NewPlant requires id, which is none of its properties: write it, or leave it out of required.',
  ],
  [
    `level:
`,
    `level_of_something_whose_name_is_so_long_that_no_message_can_name_it_and_say_what_it_must_be_in_less_than_two_hundred_characters_which_is_what_the_contract_says_of_every_message_of_an_error_and_so_is_tested:
`,
    '5: NewPlant requires level, which is none of its properties: write it, or leave it out of required.',
    '8: level_of_something_whose_name_is_so_long_that_no_message_can_name_it_and_say_what_it_must_be_in_less_than_two_hundred_characters_which_is_what_the_contract_says_of_every_message_of_an_error_and_so_is_tested makes messages of more than 199 characters: write a shorter name or a shorter example.',
  ],
  [
    'type: array, items: { type: number, minimum: -180, maximum: 180 }, maxItems: 3',
    'type: object, maxProperties: 3, propertyNames: { pattern: x }, additionalProperties: { type: number }',
    '20: geo has the example {"coordinates":[2.3522,48.8566]}, which is refused (geo/coordinates must be object): correct it.',
    "22: geo.coordinates has other propertyNames than a map can have: write { pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$' }.",
  ],
  [
    `type: string
          enum: [low, high]
          description: The level.
          examples: [low, high]`,
    `const: low
          description: The level.`,
    '5: NewPlant requires nothing but id that may have two values, so a response would confirm nothing: require another property.',
  ],
  [
    '        price: { type: number, multipleOf: 0.01, minimum: 0, maximum: 9.99,',
    '        price: { const: 7,',
    '19: price has the example 1.5, which is refused (price must be one of 7): correct it.',
    '19: price has the example 2, which is refused (price must be one of 7): correct it.',
  ],
  [
    `maxItems: 9
          description: The stops.
          examples: [[{ city: Rome }], []]`,
    'examples: [[{ city: 7 }], []]',
    '13: stops needs the keyword maxItems: write how many items there are at most.',
    '13: stops needs a description: write what it is.',
    '13: stops has the example [{"city":7}], which is refused (stops/0/city must be string): correct it.',
  ],
] as const)('%s that becomes %s is refused', (before, after, ...faults) => {
  expect(NEW_PLANT).toContain(before);
  expect(faultsIn(NEW_PLANT.replace(before, () => after))).toEqual(faults);
});

/** A model with parts, and what it refers to: the lines are counted from `components`. */
const withParts = (newPlant: string) => `components:
  schemas:
    Event:
      type: object
      required: [id]
      properties:
        at: { type: string, format: date-time, description: When., examples: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'] }
        id: { type: integer, description: The id., examples: [1, 2] }
        by: { type: object, properties: { name: { type: string, default: x } }, description: Who., examples: [{ name: a }, {}] }
    Wide: { type: object, description: Wide., required: [width], properties: { width: { type: string, pattern: '^x' } } }
    Round: { type: object, properties: { width: { type: integer, minimum: 1 }, radius: { type: array, items: { type: string } } } }
    NewPlant:
${newPlant}`;
const EVENT = "{ $ref: '#/components/schemas/Event' }";

test('what is wrong inside of what a model refers to, and of all its variants, is told in one run, with the line where it stands', () => {
  const shape = `      allOf:
        - ${EVENT}
        - required: [shape]
          properties:
            shape: { description: Its form., oneOf: [{ $ref: '#/components/schemas/Wide' }, { $ref: '#/components/schemas/Round' }], examples: [{ width: 'x1' }, { width: 'x2' }] }
            sizes: { type: object, description: Sizes., patternProperties: { '^a': { type: string, default: 'a' } }, properties: {}, examples: [{}, { a: b }] }
`;
  expect(faultsIn(withParts(shape))).toEqual([
    '9: by.name has the keyword default, which text does not have: leave it out, and let the client send the value: two versions with different defaults would take a retry for another plant.',
    '10: shape.width needs the keyword maxLength: write the length of the longest text, because the time of a pattern may grow with it.',
    '10: shape.width needs an example beside its pattern, for the message: write examples: [one].',
    '11: shape.radius needs the keyword maxItems: write how many items there are at most.',
    '17: shape has the keyword oneOf: write one object with the properties of all variants: those of some of them are optional, and an enum says which one it is; then write the rule at the end of lambda/request/check-plant.ts.',
    "18: sizes has the keyword patternProperties, which object does not have: write additionalProperties with the type of the values of a map, maxProperties, and propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$' }; or a property for each name: what has none is not stored.",
    '18: sizes.* has the keyword default, which text does not have: leave it out, and let the client send the value: two versions with different defaults would take a retry for another plant.',
  ]);
  const variants = `      oneOf: [${EVENT}, { $ref: '#/components/schemas/Wide' }]
      required: [id]
      properties: { id: { type: integer, description: The id., examples: [1, 2] } }
`;
  expect(faultsIn(withParts(variants))).toEqual([
    '9: by.name has the keyword default, which text does not have: leave it out, and let the client send the value: two versions with different defaults would take a retry for another plant.',
    '10: width needs the keyword maxLength: write the length of the longest text, because the time of a pattern may grow with it.',
    '10: width needs an example beside its pattern, for the message: write examples: [one].',
    '10: width needs a description: write what it is.',
    '10: width needs two examples that differ: write examples: [one, another].',
    '13: NewPlant has the keyword oneOf: write one object with the properties of all variants: those of some of them are optional, and an enum says which one it is; then write the rule at the end of lambda/request/check-plant.ts.',
  ]);
});

test('schemas that refer to each other, as those of FHIR do, are refused at once', () => {
  const names = Array.from({ length: 30 }, (_, n) => `T${n}`);
  const all = names.map((name) => `${name}: { $ref: '#/components/schemas/${name}' }`).join(', ');
  const types = names.map((name) => `    ${name}: { type: object, properties: { ${all} } }\n`).join('');
  const level = "level:\n          $ref: '#/components/schemas/T7' #";
  const faults = faultsIn(
    NEW_PLANT.replace('level:', level).replace('    NewPlant:', `${types}    NewPlant:`),
  );
  expect(faults).toContain(
    '39: level has a $ref that is not in this document, refers to itself, or differs in a keyword from what stands beside it: write the schema here.',
  );
});

test.each([
  ["$ref: '#/components/schemas/Short'", 'a $ref'],
  ["anyOf: [{ $ref: '#/components/schemas/Short' }, { type: 'null' }]", 'a $ref'],
  ["oneOf: [{ type: string, minLength: 1, maxLength: 4 }, { type: 'null' }]", 'the keyword oneOf'],
])('what stands beside %s holds as well, and a keyword that differs is refused', (short, refused) => {
  const text = (beside: string) =>
    `${withParts(`      allOf: [${EVENT}]
      required: [id, at]
      properties:
        note: { ${short}, ${beside}description: A note., examples: [aa, bb] }
`).replace(', default: x', '')}    Short: { type: string, minLength: 1, maxLength: 4 }\n`;
  const limits = (beside: string) => {
    const { minLength, maxLength } =
      readModel(text(beside)).properties.find(({ name }) => name === 'note')?.schema ?? {};
    return [minLength, maxLength];
  };
  expect(limits('')).toEqual([1, 4]);
  expect(limits('minLength: 0, maxLength: 9, ')).toEqual([1, 4]);
  expect(limits('minLength: 2, maxLength: 3, ')).toEqual([2, 3]);
  expect(faultsIn(text('type: array, ')).join('\n')).toContain(`16: note has ${refused}`);
});

test.each(['allOf', 'anyOf', 'oneOf'])('the only part of %s is written in its place', (name) => {
  const part = '{ type: string, maxLength: 9 }';
  const level = `${name}: [${part}]`;
  const { contract, said } = readModel(NEW_PLANT.replace('type: string\n          enum: [low, high]', level));
  expect(parseContract(contract).components.schemas.NewPlant.properties?.level).toEqual({
    type: 'string',
    maxLength: 9,
    description: 'The level.',
    examples: ['low', 'high'],
  });
  expect(said).toEqual([
    'contract/openapi.yaml:8: level: the only part of its allOf, anyOf or oneOf is written in its place.',
  ]);
  const whole = NEW_PLANT.replace(/ {6}type: object.*/s, (object) => {
    return `      ${name}:\n        -\n${object.replaceAll(/^/gm, '    ')}\n`;
  });
  expect(modelSources(readModel(whole).properties)).toEqual(modelSources(readModel(NEW_PLANT).properties));
});

test('parts of allOf become one schema, unless they differ in a keyword', () => {
  const text = withParts(`      allOf:
        - ${EVENT}
        - required: [at]
          properties:
            by: { required: [name] }
            pair: { type: object, properties: { a: { enum: &ab [a, b] }, b: { enum: *ab } }, description: Two., examples: [{}, { a: b }] }
            size: { type: integer, example: 1, examples: [1, 2], description: How large., anyOf: [{ maximum: 9 }] }
`)
    .replace(', default: x', '')
    .replace('[{ name: a }, {}]', '[{ name: a }, { name: b }]');
  const { contract, said, properties } = readModel(text);
  expect(properties.map(({ name, required }) => [name, required])).toEqual([
    ['id', true],
    ['at', true],
    ['by', false],
    ['pair', false],
    ['size', false],
  ]);
  const written = parseContract(contract).components.schemas.NewPlant;
  expect(Object.keys(written.properties)).toEqual(['id', 'at', 'by', 'pair', 'size']);
  expect(contract.slice(contract.indexOf('NewPlant'))).not.toMatch(/[&*]/);
  expect(written).toMatchObject({
    type: 'object',
    required: ['id', 'at'],
    properties: {
      by: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      size: { type: 'integer', format: 'int64', maximum: 9, examples: [1, 2] },
    },
  });
  expect(said.slice(0, 2)).toEqual([
    'contract/openapi.yaml:12: NewPlant: the schema #/components/schemas/Event is written in place of its $ref.',
    'contract/openapi.yaml:12: NewPlant: the parts of its allOf are written into one.',
  ]);
  expect(readModel(contract)).toMatchObject({ contract, said: [] });
  expect(faultsIn(text.replace('by: { required', 'by: { type: array, required'))).toContain(
    '9: by has the keyword allOf: write one schema that accepts what all parts accept: they differ in a keyword.',
  );
});

test('a model whose id is not its first property is refused', () => {
  const [before, after = ''] = NEW_PLANT.split('        id:');
  const [id = '', ...others] = `        id:${after}`.split('\n');
  expect(faultsIn([`${before}${others.join('\n')}`, id].join(''))).toEqual([
    '25: id is not the first property, as in an export: move it up.',
  ]);
});

const LEVEL = 'type: string\n          enum: [low, high]';
const WRITTEN = [
  [LEVEL, 'const: low'],
  ['examples: [low, high]', ''],
  [
    '{ city: { type: string, maxLength: 40 } }',
    '{ zip: { type: boolean }, city: { type: string, maxLength: 40 } }',
  ],
  ['{ city: Rome }', '{ city: Rome, zip: true }'],
  ['type: number, multipleOf: 0.01, minimum: 0, maximum: 9.99', "type: [number, 'null']"],
  ['[id, level]', '[id, level, price, stops, seats]'],
  [
    'city: { type: string, maxLength: 40 }',
    "city: { anyOf: [{ type: string, maxLength: 40 }, { type: 'null' }] }",
  ],
  ['type: integer, format: int32, maximum: 9', 'enum: [1, 2], title: Seats, deprecated: true, x-unit: seat'],
  [
    'type: object\n          properties: {',
    "nullable: true\n          allOf: [{ $ref: '#/components/schemas/Place' }]\n          additionalProperties: true\n          properties: {",
  ],
  ['components:\n  schemas:\n', 'components:\n  schemas:\n    Place: { type: object, title: A place }\n'],
] as const;

test('what is written otherwise is read, and written into the contract, as what it is published as', () => {
  const written = WRITTEN.reduce((text, [before, after]) => {
    expect(text).toContain(before);
    return text.replace(before, after);
  }, NEW_PLANT);
  const { contract, said, properties } = readModel(written);
  const { required, properties: published } = parseContract(contract).components.schemas.NewPlant;
  expect(required).toEqual(['id', 'level', 'stops', 'seats']);
  expect(published.level).toEqual({
    type: 'string',
    enum: ['low'],
    description: 'The level.',
    examples: ['low', 'low'],
  });
  expect(published.price).toMatchObject({ type: 'number', examples: [1.5, 2] });
  expect(published.stops.items).toEqual({
    type: 'object',
    properties: { zip: { type: 'boolean' }, city: { type: 'string', maxLength: 40 } },
  });
  expect(JSON.stringify(published.stops.examples)).toBe('[[{"zip":true,"city":"Rome"}],[]]');
  expect(published.seats).toMatchObject({ type: 'integer', format: 'int64', enum: [1, 2], title: 'Seats' });
  expect(Object.keys(published.geo)).toEqual(['type', 'title', 'properties', 'description', 'examples']);
  expect(properties.map(({ name, required }) => [name, required])).toEqual([
    ['id', true],
    ['level', true],
    ['stops', true],
    ['price', false],
    ['geo', false],
    ['seats', true],
  ]);
  expect(said).toEqual([
    'contract/openapi.yaml:9: level: it becomes an enum with its type.',
    'contract/openapi.yaml:9: level: its only value is both examples.',
    'contract/openapi.yaml:15: stops.items.properties.city: null is absent: anyOf becomes an optional value of the other type.',
    'contract/openapi.yaml:13: stops: its examples are in the order in which the service returns them.',
    'contract/openapi.yaml:19: price: null is absent: it becomes optional.',
    'contract/openapi.yaml:20: geo: the schema #/components/schemas/Place is written in place of its $ref.',
    'contract/openapi.yaml:20: geo: null is absent: it becomes optional.',
    'contract/openapi.yaml:20: geo: additionalProperties: true is left out, because unknown properties are accepted, but not stored.',
    'contract/openapi.yaml:27: seats: it becomes an enum with its type.',
    'contract/openapi.yaml:27: seats: it becomes an int64.',
  ]);
  // What it was read as is read as it is.
  expect(readModel(contract)).toMatchObject({ contract, said: [] });
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
  expect(() => readModel(NEW_PLANT.replace(before, after))).toThrow(
    new PlainError(`contract/openapi.yaml${problem}`),
  );
});
