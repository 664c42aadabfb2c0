import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { propertyCases } from '../../../contract/property-cases.ts';
import { jsonOf } from '../../../lambda/json.ts';
import { integer } from '../../../lambda/property-types/integer.ts';
import { object } from '../../../lambda/property-types/object.ts';
import type { PropertyType } from '../../../lambda/property-types/property-type.ts';
import { text } from '../../../lambda/property-types/text.ts';
import { parseJson } from '../../../lambda/request/parse-json.ts';
import { itemBytes } from '../../../lambda/store/item-bytes.ts';
import { plainItem } from '../../import/dynamodb-item.ts';
import { fieldValue } from '../../import/field-value.ts';
import { fromTool } from '../../import/tool-value.ts';
import { itemValue } from '../../plants/plant-line.ts';
import { hasMore } from '../../shared/has-more.ts';
import { boolean } from './boolean.ts';
import { choice } from './choice.ts';
import { date } from './date.ts';
import { dateTime } from './date-time.ts';
import { decimal } from './decimal.ts';
import { double } from './double.ts';
import { duration } from './duration.ts';
import { email } from './email.ts';
import { int32 } from './int32.ts';
import { integerChoice } from './integer-choice.ts';
import { list } from './list.ts';
import { map } from './map.ts';
import { pattern } from './pattern.ts';
import { uri } from './uri.ts';
import { uuid } from './uuid.ts';

const P = { path: 'p' };
const price = decimal({ places: 2, minimum: 0, maximum: 99_999.99 });
const names = list(text(), { maxItems: 2 });
const methods = object({
  constructor: { type: text(), required: false },
  valueOf: { type: text(), required: false },
});
const contact = object({
  email: { type: text({ minLength: 3 }), required: true },
  phones: {
    type: list(object({ '"},': { type: integer(), required: false } }), { minItems: 1, maxItems: 3 }),
    required: false,
  },
});
/** Those of lambda/store/store.ts. */
const OPTIONS = { convertClassInstanceToMap: true, allowImpreciseNumbers: true };
// biome-ignore lint/suspicious/noExplicitAny: the tables have all types.
type AnyType = PropertyType<any>;
const readFrom = (type: AnyType, json: string) => type.read(parseJson(json), P);

const DEGREES = double({ minimum: -90, maximum: 90 });
const NO_DOUBLE = 'in the shortest digits of a double that is 0 or ±1e-130 to ±1e126.';
const PRICE = 'p must be a number from 0 to 99999.99 with at most 2 decimal places.';
const DATE_TIME = 'p must be a date and time of RFC 3339, such as 2026-07-01T08:30:00+02:00.';
const COLORS = choice('red', 'blue');
const COLOR = 'p must be one of "red", "blue".';
const POSTCODE = pattern('^[A-Z]{2}\\d+$', 'a postcode such as SW1', { maxLength: 4 });
const TAGS = list(text(), { maxItems: 3, uniqueItems: true });
const LABELS = map(text({ maxLength: 3 }), { maxProperties: 2 });
const LABEL =
  'p must be an object of at most 2 properties, whose names are up to 64 letters, digits and _.-.';
const MANY = choice(...Array.from({ length: 30 }, (_, n) => `value ${n}`));

/** JSON texts that are accepted, and the JSON of the value. */
const ACCEPTED: readonly [AnyType, json: string, written: string][] = [
  [boolean(), 'true', 'true'],
  [COLORS, '"\\u0072ed"', '"red"'],
  [MANY, '"value 29"', '"value 29"'],
  [integer({ minimum: 1, maximum: 100 }), '1e2', '100'],
  [text({ minLength: 2, maxLength: 3 }), '"🌿🌿"', '"🌿🌿"'],
  [dateTime(), '"2028-02-29T23:59:59.5-03:30"', '"2028-02-29T23:59:59.5-03:30"'],
  [dateTime(), '"0004-02-29t00:00:00z"', '"0004-02-29t00:00:00z"'],
  [date(), '"2028-02-29"', '"2028-02-29"'],
  [uuid(), '"019a2f3e-7c1d-7b52-8A44-3f2b1c0d9e8f"', '"019a2f3e-7c1d-7b52-8A44-3f2b1c0d9e8f"'],
  [email(), '"o\'hara+x@post.example.com"', '"o\'hara+x@post.example.com"'],
  [duration(), '"P1Y2M3DT4H5M6S"', '"P1Y2M3DT4H5M6S"'],
  [duration(), '"PT36H"', '"PT36H"'],
  [duration(), '"P2W"', '"P2W"'],
  [
    uri(),
    '"https://a:b@example.com:8443/x/%C3%A9;p=(1)?q=/?#f"',
    '"https://a:b@example.com:8443/x/%C3%A9;p=(1)?q=/?#f"',
  ],
  [uri(), '"http://[2001:db8::7]/"', '"http://[2001:db8::7]/"'],
  [uri(), '"urn:isbn:9780306406157"', '"urn:isbn:9780306406157"'],
  [uri(), '"file:///etc/hosts"', '"file:///etc/hosts"'],
  [uri({ maxLength: 40 }), '"mailto:anna@example.com"', '"mailto:anna@example.com"'],
  [integerChoice(100, 200), '2e2', '200'],
  [POSTCODE, '"SW1"', '"SW1"'],
  [TAGS, '["a","b"]', '["a","b"]'],
  [list(COLORS, { maxItems: 2, uniqueItems: true }), '["red","blue"]', '["red","blue"]'],
  [LABELS, '{"constructor":"2","b":"1"}', '{"b":"1","constructor":"2"}'],
  [LABELS, '{"10":"x","9":"y"}', '{"10":"x","9":"y"}'],
  [price, '149.90', '149.9'],
  [price, '-0.00', '0'],
  [decimal({ places: 6, minimum: -1, maximum: 1 }), '-1e-6', '-0.000001'],
  [decimal({ places: 2, minimum: 0, maximum: 9_999_999_999_999.99 }), '9999999999999.99', '9999999999999.99'],
  [methods, '{}', '{}'],
  [methods, '{"valueOf":"b","constructor":"a"}', '{"constructor":"a","valueOf":"b"}'],
  [double(), '0.1', '0.1'],
  [double(), '1.50', '1.5'],
  [double(), '-0.0', '0'],
  [double(), '0e999999999', '0'],
  [double(), '100000000000000000000', '1e+20'],
  [double(), '-1.25E+125', '-1.25e+125'],
  [double(), '0.30000000000000004', '0.30000000000000004'],
  [double(), '1e-130', '1e-130'],
  [DEGREES, '-89.99999999999999', '-89.99999999999999'],
  [list(DEGREES, { maxItems: 2 }), '[48.8566,2.3522e0]', '[48.8566,2.3522]'],
  [int32(), '2147483647', '2147483647'],
  [names, '[]', '[]'],
  [names, '[ "a,]" , "\\"" ]', '["a,]","\\""]'],
  [
    contact,
    '{"x":{"email":1},"phones":[{"\\"},":9223372036854775807,"y":[]}, { }],"email":"a@b"}',
    '{"email":"a@b","phones":[{"\\"},":9223372036854775807},{}]}',
  ],
];

const REFUSED: readonly [AnyType, json: string, message: string][] = [
  [boolean(), '"true"', 'p must be true or false.'],
  [COLORS, '"Red"', COLOR],
  [MANY, '""', 'p must be one of the 30 texts in the contract.'],
  [text({ minLength: 2, maxLength: 3 }), '"🌿"', 'p must be a string of 2 to 3 characters.'],
  [text({ minLength: 2, maxLength: 3 }), '"🌿🌿🌿🌿"', 'p must be a string of 2 to 3 characters.'],
  [dateTime(), '"2026-02-29T00:00:00Z"', DATE_TIME],
  [dateTime(), '"2026-07-01T08:30:00"', DATE_TIME],
  [dateTime(), '"2026-06-30T23:59:60Z"', DATE_TIME],
  [dateTime(), '20260701', DATE_TIME],
  [date(), '"2026-02-30"', 'p must be a date of RFC 3339, such as 2026-07-01.'],
  [
    uuid(),
    '"019a2f3e7c1d7b528a443f2b1c0d9e8f"',
    'p must be a UUID, such as 019a2f3e-7c1d-7b52-8a44-3f2b1c0d9e8f.',
  ],
  [email(), '"a@b"', 'p must be an e-mail address, such as anna@example.com.'],
  [email(), `"${'a'.repeat(243)}@example.com"`, 'p must be an e-mail address, such as anna@example.com.'],
  ...['P', 'PT', 'P1Y1D', 'P1.5D', 'P1DT', 'P1W1D', 'pt1h', 'PT1S1M'].map(
    (text): [AnyType, string, string] => [
      duration(),
      JSON.stringify(text),
      'p must be a duration of ISO 8601, such as P1DT12H.',
    ],
  ),
  ...[
    'example.com',
    '//example.com',
    'http://a b',
    'http://é',
    '7:a',
    'a:%2',
    'a:b#c#d',
    'http://[x]',
    'http://a@b@c',
  ].map((text): [AnyType, string, string] => [
    uri(),
    JSON.stringify(text),
    'p must be a URI, such as https://example.com/7.',
  ]),
  [
    uri({ maxLength: 9 }),
    '"https://example.com"',
    'p must be a URI of at most 9 characters, such as https://example.com/7.',
  ],
  [integerChoice(100, 200), '150', 'p must be one of 100, 200.'],
  [integerChoice(100, 200), '"100"', 'p must be one of 100, 200.'],
  [integerChoice(100, 200), '100.5', 'p must be one of 100, 200.'],
  [integerChoice(1), '1'.repeat(129), 'p must be one of 1.'],
  [
    integerChoice(...Array.from({ length: 60 }, (_, n) => n)),
    '60',
    'p must be one of the 60 integers in the contract.',
  ],
  [POSTCODE, '"SW1 "', 'p must be a postcode such as SW1.'],
  [POSTCODE, '"SW111"', 'p must be a postcode such as SW1.'],
  [pattern('^..?$', 'short', { maxLength: 9 }), '"\\ud800"', 'p must be short.'],
  [TAGS, '["a","b","a"]', 'p must be a list of at most 3 different items.'],
  [LABELS, '{"":"x"}', LABEL],
  [LABELS, '{"__proto__":"x"}', LABEL],
  [LABELS, '{"a":"1","b":"2","c":"3"}', LABEL],
  [LABELS, '{"a":"1234"}', 'p.* must be a string of at most 3 characters.'],
  [double(), '"1"', 'p must be a number, as a JSON number.'],
  [double(), '0.1000000000000000055511151231257827', `p must be a number, ${NO_DOUBLE}`],
  [double(), '9007199254740993', `p must be a number, ${NO_DOUBLE}`],
  [double(), '1e126', `p must be a number, ${NO_DOUBLE}`],
  [double(), '1e400', `p must be a number, ${NO_DOUBLE}`],
  [double(), '9.9e-131', `p must be a number, ${NO_DOUBLE}`],
  [double(), '1e-400', `p must be a number, ${NO_DOUBLE}`],
  [double(), `1.${'0'.repeat(127)}`, `p must be a number, ${NO_DOUBLE}`],
  [DEGREES, '90.00000000000001', 'p must be a number from -90 to 90.'],
  [double({ maximum: 5 }), '5.5', 'p must be a number up to 5.'],
  [double({ minimum: 0.5 }), '0.4', 'p must be a number from 0.5.'],
  [int32(), '2147483648', 'p must be an integer from -2147483648 to 2147483647.'],
  [int32({ maximum: 9 }), '10', 'p must be an integer from -2147483648 to 9.'],
  [price, '0.125', PRICE],
  [price, '1.00000000000000000001', PRICE],
  [price, '-0.01', PRICE],
  [price, `1.${'0'.repeat(127)}`, PRICE],
  [price, '"1"', PRICE],
  [integer({ minimum: 1, maximum: 100 }), '0', 'p must be an integer from 1 to 100.'],
  [
    integer({ maximum: 9 }),
    '1.5',
    'p must be an integer from -9223372036854775808 to 9, without a fraction.',
  ],
  [integer({ maximum: 9 }), '9223372036854775808', 'p must be an integer from -9223372036854775808 to 9.'],
  [integer({ maximum: 9 }), '1e400', 'p must be an integer from -9223372036854775808 to 9.'],
  [
    integer({ maximum: 9 }),
    '1'.repeat(129),
    'p must be an integer from -9223372036854775808 to 9, written in at most 128 characters.',
  ],
  [text(), '"\\ud800"', 'p must be Unicode text without an unpaired surrogate.'],
  [text({ maxLength: 2 }), '"🌵🌵🌵"', 'p must be a string of at most 2 characters.'],
  [names, '["a","b","c"]', 'p must be a list of at most 2 items.'],
  [names, '{}', 'p must be a list of at most 2 items.'],
  [names, '["a",null]', 'p[1] must be a string.'],
  [integer({ maximum: 9 }), '10', 'p must be an integer from -9223372036854775808 to 9.'],
  [contact, '{}', 'p.email is missing; it must be a string of at least 3 characters.'],
  [contact, '{"email":"a@b","phones":[]}', 'p.phones must be a list of 1 to 3 items, or be left out.'],
  [
    contact,
    '{"email":"a@b","phones":[{"\\"},":true}]}',
    'p.phones[0]."}, must be an integer from -9223372036854775808 to 9223372036854775807, as a JSON number, or be left out.',
  ],
  [contact, 'null', 'p must be an object.'],
];

test.each(REFUSED)('%# %s is refused', (type, json, message) => {
  const failure = expect.objectContaining({ message, published: expect.objectContaining({ error: 40002 }) });
  expect(() => readFrom(type, json)).toThrow(failure);
});

// Developer guide, "DynamoDB Item sizes and formats".
test.each<[AnyType, json: string, bytes: number]>([
  [list(boolean(), { maxItems: 2 }), '[true,false]', 3 + 1 + 1 + 1 + 1],
  [list(price, { maxItems: 1 }), '[149.9]', 3 + 1 + 12],
  [names, '["a","🌿"]', 3 + 1 + 1 + 1 + 4],
  [LABELS, '{"to":"🌿"}', 3 + 1 + 2 + 4],
  [object({ größe: { type: text(), required: true } }), '{"größe":"1"}', 3 + 1 + 7 + 1],
  [contact, '{"email":"a@b","phones":[{}]}', 3 + 1 + 5 + 3 + 1 + 6 + 3 + 1 + 3],
])('%# %s takes as many bytes in an item as AWS says', (type, json, bytes) => {
  expect(itemBytes({ p: readFrom(type, json) })).toBe('p'.length + bytes);
});

test('a decimal that a double may round is a mistake in the model', () => {
  const limits = { minimum: 0, maximum: 10 ** 13 };
  expect(() => decimal({ places: 2, ...limits })).toThrow(
    'A decimal has at most 15 digits, of which at most 6',
  );
  expect(() => decimal({ places: 7, minimum: 0, maximum: 1 })).toThrow(RangeError);
});

test.each(ACCEPTED)(
  '%# %s is the same value in an item, an export and a field of CSV',
  (type, json, written) => {
    const value = readFrom(type, json);
    expect(jsonOf(value)).toBe(written);
    const item = marshall({ p: value }, OPTIONS);
    expect(jsonOf(type.decode(item.p))).toBe(written);
    const exported = parseJson(jsonOf(itemValue(item)));
    expect(jsonOf(object({ p: { type, required: true } }).read(exported, { path: '' }))).toBe(
      `{"p":${written}}`,
    );
    const field = fieldValue(type.schema, typeof value === 'string' ? value : written).value;
    expect(jsonOf(type.read(field, P))).toBe(written);
  },
);

test('a small double is exported in a form that an import reads, however DynamoDB writes it', () => {
  const digits = `-0.${'0'.repeat(119)}1234567890125`;
  const exported = plainItem(parseJson(`{"p":{"N":"${digits}"}}`) as never);
  for (const item of [itemValue({ p: { N: digits } }), exported])
    expect(double().read(item.get('p') as never, P)).toBe(-1.234567890125e-120);
});

// The contract's cases of a property are made of its schema alone.
test.each(ACCEPTED)('%# %s: the type accepts and refuses what its cases say', (type, json) => {
  // As a double, the largest int64 is another number.
  const example: unknown = JSON.parse(json.replace(/\d{17,}/, '7'));
  const { cases } = propertyCases({ p: { ...type.schema, examples: [example] } });
  for (const { name, body, ...expected } of cases) {
    const p: unknown = parseJson(JSON.stringify(JSON.parse(body.replace(/⟨.*?⟩/, '1')).p));
    const read = () => type.read(p as never, P);
    if ('plant' in expected) expect(() => read(), name).not.toThrow();
    else
      expect(read, name).toThrow(
        expect.objectContaining({ message: expect.stringContaining(`${expected.names} `) }),
      );
  }
  expect(cases.length).toBeGreaterThan(4);
});

test.each<[AnyType, json: string, expected: boolean]>([
  ...ACCEPTED.map(([type, json]): [AnyType, string, boolean] => [type, json, type === contact]),
  [contact, '{"email":"a@b"}', false],
  [contact, '{"email":"a@b","__proto__":{}}', true],
  [contact, '{"email":"a@b","phones":[{"constructor":"x"}]}', true],
])('%# an import refuses an unknown property in a list or an object', (type, json, expected) => {
  expect(hasMore(parseJson(json), readFrom(type, json))).toBe(expected);
});

test.each(ACCEPTED)('%# an import takes null for absent, if the property is optional', (type) => {
  const read = (required: boolean) => {
    const plant = object({ p: { type, required } });
    return plant.read(fromTool(parseJson('{"p":null}'), plant.schema, ''), { path: '' });
  };
  expect(read(false)).toEqual({});
  expect(() => read(true)).toThrow(/^p must be /);
});

const count = integer();
const LOST =
  ': it has passed through a floating-point number; its digits may be lost. Write it as a 64-bit integer or as text.';
test.each<[AnyType, json: string, read: string]>([
  [count, '"9007199254740993"', '9007199254740993'],
  [count, '"10.0"', '10.0'],
  [count, '9007199254740991.0', '9007199254740991.0'],
  [price, '"12.50"', '12.50'],
  [text(), '"7"', '"7"'],
  [boolean(), '"true"', '"true"'],
  [list(count, { maxItems: 9 }), '["7",8]', '[7,8]'],
  [
    contact,
    '{"email":"a","phones":[{"\\"},":"5"}],"x":null}',
    '{"email":"a","phones":[{"\\"},":5}],"x":null}',
  ],
  [contact, '{"email":null,"phones":null}', '{"email":null}'],
  [LABELS, '{"a":"7"}', '{"a":"7"}'],
  [map(count, { maxProperties: 2 }), '{"a":"7","b":8}', '{"a":7,"b":8}'],
])('%# an import reads a number in a text: %s', (type, json, read) => {
  expect(jsonOf(fromTool(parseJson(json), type.schema, 'p'))).toBe(read);
});

test.each<[AnyType, json: string, message: string]>([
  [count, '-9.007199254740992e15', `The p is written -9.007199254740992e15${LOST}`],
  [count, '"9007199254740992.0"', `The p is written 9007199254740992.0${LOST}`],
  [list(count, { maxItems: 9 }), '[1,9007199254740992.0]', `The p[1] is written 9007199254740992.0${LOST}`],
  [contact, '{"phones":[{"\\"},":1e16}]}', `The p.phones[0]."}, is written 1e16${LOST}`],
  [map(count, { maxProperties: 2 }), '{"a":1e16}', `The p.* is written 1e16${LOST}`],
  [count, '{"$numberLong":"7"}', 'The p is a $numberLong of MongoDB. Unwrap the numbers of the file: jq '],
  [list(price, { maxItems: 9 }), '[{"$numberDecimal":"1"}]', 'The p[0] is a $numberDecimal of MongoDB. '],
  [count, '"007"', 'The p is written "007"; use plain digits: no leading zero, '],
])('%# an import refuses an integer that may have lost digits: %s', (type, json, message) => {
  expect(() => fromTool(parseJson(json), type.schema, 'p')).toThrow(message);
});

test.each<[AnyType, field: string, json: string, use?: string]>([
  [boolean(), 'TRUE', 'true'],
  [boolean(), 'yes', '"yes"', 'true or false.'],
  [price, '149.90', '149.90'],
  [
    price,
    '1.5E+03',
    '"1.5E+03"',
    'plain digits and a decimal point: no leading zero, space, comma or exponent.',
  ],
  [double(), '-1.5E-07', '-1.5E-07'],
  [double(), '1,5', '"1,5"', 'a number as in JSON, such as 12.5 or 1e-7: no leading zero, space or comma.'],
  [text(), ' 7 ', '" 7 "'],
  [names, ' ["a"] ', '["a"]'],
  [names, 'a, b', '"a, b"', 'JSON, such as ["a","b"].'],
  // It would be absent.
  [names, 'null', '"null"', 'JSON, such as ["a","b"].'],
  [contact, 'a: b', '"a: b"', 'JSON, such as {"a":"b"}.'],
])('%# a field of CSV is a value of its type if it can be: %s', (type, field, json, use) => {
  const problem = use && `is written ${JSON.stringify(field)}; use ${use}`;
  expect(fieldValue(type.schema, field)).toEqual({ value: parseJson(json), problem });
});

test.each<[AnyType, attribute: object | undefined, written: string | undefined]>([
  [price, { N: '1.499E+2' }, '149.9'],
  [contact, { M: { email: { S: 'a@b' }, later: { X: 1 } } }, '{"email":"a@b"}'],
  [double(), { N: '1.0E-7' }, '1e-7'],
  [double(), { N: '0.10000000000000001' }, undefined],
  [double(), { S: '1' }, undefined],
  [double(), { N: '0x0' }, undefined],
  [price, { N: '0.125' }, undefined],
  [price, { N: '12345678901234567' }, undefined],
  [COLORS, { S: 'green' }, undefined],
  [integerChoice(1, 2), { N: '1.0' }, '1'],
  [integerChoice(1, 2), { N: '3' }, undefined],
  [names, { L: [{ S: 'a' }, { N: '1' }] }, undefined],
  [LABELS, { M: { b: { S: 'x' }, a: { S: 'y' } } }, '{"a":"y","b":"x"}'],
  [LABELS, { M: { b: { S: 'x' }, a: { N: '1' } } }, undefined],
  [methods, { M: {} }, '{}'],
  [contact, { M: {} }, undefined],
  [contact, { M: { email: { S: 'a' }, phones: { S: 'b' } } }, undefined],
  ...ACCEPTED.map(([type]): [AnyType, undefined, undefined] => [type, undefined, undefined]),
])('%# an attribute is read by its value: %o, %o', (type, attribute, written) => {
  const value = type.decode(attribute as never);
  expect(value && jsonOf(value)).toBe(written);
});
