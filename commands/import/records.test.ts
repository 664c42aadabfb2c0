import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  hasLimits,
  LEAST,
  OPTIONAL_TEXT,
  PROPERTIES,
  REQUIRED,
  TEXT,
  WHOLE,
} from '../../contract/examples.ts';
import { IS_NUMBER, idOf, NO_ID } from '../../contract/key.ts';
import { jsonOf } from '../../lambda/json.ts';
import type { NewPlant } from '../../lambda/plant.ts';
import { csvFields, csvHeader, OPTIONAL, withText } from '../../test/support/properties.ts';
import { itemOf } from '../../test/support/stored-item.ts';
import { csvRecords, isMark } from './csv.ts';
import { jsonRecords } from './json.ts';
import { lostDigits } from './lost-digits.ts';
import { type InputRecord, type Reading, refusedLine } from './record.ts';
import type { Source } from './source.ts';

/** Reads the bytes of a text. */
async function readAll(
  read: (source: Source, reading: Reading) => AsyncIterable<InputRecord>,
  text: string | Buffer,
  { size = 65_536, ...reading }: Reading & { readonly size?: number } = {},
) {
  async function* chunks() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const all: InputRecord[] = [];
  for await (const record of read({ name: 'FILE', chunks: chunks() }, reading)) all.push(record);
  return all;
}

/** What becomes of a line: its plant, the number of its refusal, or nothing if it is empty. */
type Lines = readonly (readonly [text: string, expected: object | number | undefined])[];

// The tests are about bytes, lines and fields: a text varies, and the other required properties stay.
const NAME = String(TEXT);
const { [NAME]: _, ...REST } = LEAST;
const withTextTest = test.runIf(TEXT !== undefined);
const MORE = Object.keys(REST).length === 0 ? '' : `,${csvFields(REST)}`;
const HEADER = csvHeader(['id', NAME, ...Object.keys(REST)]);
const keyed = (id: bigint) => (IS_NUMBER ? id : idOf(id));
const plant = (id: bigint, text: unknown) => ({ ...LEAST, id: keyed(id), [NAME]: text });
const ndjson = (id: string, text: string) =>
  bodyOf(id, TEXT === undefined ? LEAST : { ...LEAST, [NAME]: text });
const extended = (body: string, property: string) => `${body.slice(0, -1)},${property}}`;

const EMPTY = String(withText('')[NAME]);

/** An id with a point is an integer, but not from 2^53 on. */
const POINTS: Lines = [
  [`10.0,Fern${MORE}\n`, plant(10n, 'Fern')],
  [`9007199254740992.0,Fern${MORE}\n`, 40002],
];

const CSV: Lines = [
  ['\ufeff,,,\n', undefined],
  [`${HEADER}\r\n`, undefined],
  [`${idOf(1)},Fern${MORE}\r\n`, plant(1n, 'Fern')],
  [`${idOf('9223372036854775807')},"Ro""se, red"${MORE}\n`, plant(9223372036854775807n, 'Ro"se, red')],
  ['\n', undefined],
  [
    `${idOf('-9223372036854775808')},"two\r\n🌿\n\u0000"${MORE}\n`,
    plant(-9223372036854775808n, 'two\r\n🌿\n\u0000'),
  ],
  [`${NO_ID},Past the end${MORE}\n`, 40002],
  [`\ufeff${idOf(2)},A byte order mark inside${MORE}\n`, 40002],
  [`${idOf(4)},${MORE}\n`, 40002],
  [',"",,,\n', undefined],
  [`${idOf(8)}, t ${MORE}\n`, plant(8n, ' t ')],
  [`${idOf(10)},One field more${MORE},here\n`, 40002],
  // It may be two rows.
  [`${idOf(3)},A carriage return\rwithout quotes${MORE}\n`, 40002],
  ...(IS_NUMBER ? POINTS : []),
  [`${idOf(11)},Last${MORE}`, plant(11n, 'Last')],
];

const NDJSON: Lines = [
  [`\ufeff${ndjson('9007199254740993', 'Fern')}\n`, plant(9007199254740993n, 'Fern')],
  [`${ndjson(IS_NUMBER ? '1e3' : '1000', EMPTY)}\r\n`, plant(1000n, EMPTY)],
  ['\n', undefined],
  [' \t\r\n', undefined],
  ['\u00a0\n', 40001],
  [`${ndjson('3', 'x')}\u2028\n`, 40001],
  [`\ufeff${ndjson('4', 'x')}\n`, 40001],
  [` ${ndjson('5', 'x\u2028')}\t\n`, plant(5n, 'x\u2028')],
  [`${extended(ndjson('-7', '🌿'), '"refused":{"error":1}')}\n`, plant(-7n, '🌿')],
  [`${ndjson(NO_ID, 'x')}\n`, 40002],
  [`${extended(ndjson('1', 'x'), '"id":2')}\n`, 40001],
  ['[1]\n', 40002],
  [ndjson('2', 'last'), plant(2n, 'last')],
];

/** For each record, its line, and its plant or the number of its refusal. */
function seen(records: readonly InputRecord[]) {
  const exactId = ({ id, ...plant }: NewPlant) => ({ id, ...JSON.parse(jsonOf(plant)) });
  const of = ({ content }: InputRecord) =>
    'plant' in content ? exactId(content.plant) : content.refusal.error;
  return records.map((record) => [record.line, of(record)]);
}

withTextTest.each([
  ['CSV', csvRecords, CSV],
  ['NDJSON', jsonRecords, NDJSON],
] as const)(
  '%s: plants keep every digit, and a line that is none is refused with its number',
  async (_, read, lines) => {
    let line = 1;
    const expected: unknown[] = [];
    for (const [content, each] of lines) {
      if (each !== undefined) expected.push([line, each]);
      line += content.split('\n').length - 1;
    }
    const text = lines.map(([content]) => content).join('');
    for (const size of [1, 65_536]) expect(seen(await readAll(read, text, { size }))).toEqual(expected);
  },
);

const COLUMNS = `; the columns are ${Object.keys(PROPERTIES).join(', ')} (required: ${REQUIRED.join(', ')}), each once, separated by commas, semicolons, tabs or bars.`;
const shown = (header: string) => JSON.stringify(header.slice(0, 80));
const NO_CSV = 'The row that begins in line 2 is no CSV, so the rows after it are not certain: ';
withTextTest.each([
  [`Id;Name`, 'The header is "Id;Name"; the columns are '],
  [`${HEADER}\r\r\n`, `The header is ${shown(`${HEADER}\r`)}${COLUMNS}`],
  [`${HEADER}\r\r\n`, " It has a carriage return too many: remove it, as by tr -d '\\r'."],
  [
    `,${HEADER}`,
    'A column without a name is the number of the row, which pandas (index=False leaves it out)',
  ],
  [`${HEADER},quux`, `The header is ${shown(`${HEADER},quux`)}${COLUMNS}`],
  [`${HEADER},id`, `The header is ${shown(`${HEADER},id`)}${COLUMNS}`],
  ['id', `The header is "id"${COLUMNS}`],
  ['', 'The CSV file is empty; its first line must name the columns.'],
  [`${HEADER}\n2,Fe"rn${MORE}`, `${NO_CSV}Invalid Opening Quote: a quote is found, value is "Fe".`],
  [`${HEADER}\n2,"Fern\n3,Ivy${MORE}\n`, NO_CSV],
  [`${HEADER}\n2,"${`${'x'.repeat(999)}\n`.repeat(1_100)}"\n`, `${NO_CSV}Max Record Size`],
  [`${HEADER}\n2,${'x'.repeat(2_000_000)}\n`, 'Line 2 of FILE is over 1 MiB, which no plant can be.'],
])('the CSV text %$ stops the import', async (text, sentence) => {
  await expect(readAll(csvRecords, text && `${text}\n1,Fern${MORE}`)).rejects.toThrow(sentence);
});

withTextTest.each(['', 'sep=;', '"SEP=;"'])(
  'CSV with semicolons is read by its header, after %j',
  async (before) => {
    const row = (...fields: string[]) => fields.join(';');
    const more = Object.values(REST).map((value) => {
      const field = typeof value === 'string' ? value : JSON.stringify(value);
      return `"${field.replaceAll('"', '""')}"`;
    });
    const header = row('id', `"${NAME}"`, ...Object.keys(REST));
    const text = `\ufeff${before || ';;'}\r\n${header}\r\n${row(idOf(1), 'a, b', ...more)}\r\n${row(idOf(2), '"c;d"', ...more)}\r\n${row('"1,2E+18"', 'e', ...more)}\r\n3\r\n`;
    expect(seen(await readAll(csvRecords, text))).toEqual([
      [3, plant(1n, 'a, b')],
      [4, plant(2n, 'c;d')],
      [5, 40002],
      [6, 40002],
    ]);
  },
);

test
  .runIf(IS_NUMBER && TEXT !== undefined)
  .each(['0128', ' 129 ', '"1,250"', '"1,23457E+18"', '-9.22337e18'])(
  'the id %s of a spreadsheet is refused, and kept as it is',
  async (id) => {
    const [record] = await readAll(csvRecords, `${HEADER}\n${id},Fern${MORE}\n`);
    const shown = `"${id.replaceAll('"', '')}"`;
    const message = `The id is written ${shown}; use plain digits: no leading zero, space, point, comma or exponent. A spreadsheet keeps them in a column of text.`;
    expect(record?.content).toEqual({ refusal: { error: 40002, message } });
    expect(jsonOf(Object(record?.source).get('id'))).toBe(shown);
  },
);

const OF_NUMBERS: [text: string, error: number, message: string][] = [
  [
    ndjson('9007199254740992.0', 'x'),
    40002,
    'The id is written 9007199254740992.0: it has passed through a floating-point number; its digits may be lost. Write it as a 64-bit integer or as text.',
  ],
  [
    ndjson('{"0":1,"1":2}', 'x'),
    40002,
    'The id is a whole column, as pandas writes it; use orient="records", lines=True.',
  ],
  [
    ndjson('{"$numberLong":"7"}', 'x'),
    40002,
    `The id is a $numberLong of MongoDB. Unwrap the numbers of the file: jq -c 'walk(.["$numberLong","$numberInt","$numberDouble","$numberDecimal"]? // .)'`,
  ],
];

test.each([
  [extended(ndjson('1', 'x'), '"quux":1'), 40002, 'A plant has no property "quux".'],
  [
    extended(ndjson('1', 'x'), '"quux":1,"b":{},"c":[1]'),
    40002,
    'A plant has no property "quux", "b" and "c".',
  ],
  [
    extended(ndjson('1', 'x'), Array.from({ length: 22 }, (_, n) => `"p${n}":1`).join()),
    40002,
    'A plant has no property "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15", "p16", "p17", "p18", "p19" and 2 more.',
  ],
  [
    extended(JSON.stringify(itemOf('1')), '"a":{"SS":["x"]},"b":{"B":"eA=="}'),
    40002,
    'A plant has no property "a" and "b".',
  ],
  [ndjson('1', 'x').replace('"id"', '"ID"'), 40002, 'A plant has no property "ID"; write "ID" as "id".'],
  [
    JSON.stringify({ Items: [itemOf('1')], Count: 1 }),
    40002,
    `A plant has no property "Items" and "Count"; of a scan of DynamoDB, import the items: jq -c '.Items[]'.`,
  ],
  [
    extended(ndjson('1', 'NaN \\" NaN'), '"quux":-Infinity'),
    40001,
    'The line has -Infinity, which is no JSON: write the value as JSON, and leave out an optional property that has none.',
  ],
  ...(IS_NUMBER ? OF_NUMBERS : []),
])('%s is refused with a message that says what is wrong', async (text, error, message) => {
  const [record] = await readAll(jsonRecords, text);
  expect(record?.content).toMatchObject({ refusal: { error, message } });
});

test('null of an optional property is absent, and DynamoDB writes a plant in its own way, where "refused" is a property like others', async () => {
  const absent = OPTIONAL.map((name) => `,${JSON.stringify(name)}:null`).join('');
  const item = JSON.stringify({ Item: itemOf('9007199254740993', WHOLE) });
  const refusedBefore = extended(JSON.stringify({ Item: itemOf('-7') }), '"refused":{"line":1}');
  const isNull = Object.fromEntries(OPTIONAL.map((name) => [name, { NULL: true }]));
  const nulls = JSON.stringify({ Item: { ...itemOf('8'), ...isNull } });
  const refused = JSON.stringify({ Item: { ...itemOf('7'), refused: { S: 'x' } } });
  const text = `${bodyOf(1).slice(0, -1)}${absent}}\n${item}\n${refusedBefore}\n${nulls}\n${refused}\n`;
  expect(seen(await readAll(jsonRecords, text))).toEqual([
    [1, { ...LEAST, id: keyed(1n) }],
    [2, { ...WHOLE, id: keyed(9007199254740993n) }],
    [3, { ...LEAST, id: keyed(-7n) }],
    [4, { ...LEAST, id: keyed(8n) }],
    [5, 40002],
  ]);
});

withTextTest('null of a required property is refused, and is not said to be missing', async () => {
  const [record] = await readAll(jsonRecords, ndjson('1', 'x').replace('"x"', 'null'));
  const message = expect.stringMatching(`^${TEXT} must be`);
  expect(record?.content).toMatchObject({ refusal: { error: 40002, message } });
});

const ONE = ndjson('1', 'a}"{,[');
const TWO = ndjson('9007199254740993', 'b\\');
const pretty = (text: string) => text.replace('{"', '{\n  "').replace(/\}$/, '\n}');
withTextTest.each<[string, string, number[]]>([
  ['a list in one line', `[${ONE},${TWO}]`, [1, 1]],
  ['a list with a line for each', `\ufeff\n [\n${ONE},\n\n${TWO}\n]\n\n`, [3, 5]],
  ['a pretty list', `[${pretty(ONE)}\n,\n${pretty(TWO)}]`, [1, 5]],
  ['objects over several lines', `\n${pretty(ONE)}\r\n${pretty(TWO)}\n`, [2, 5]],
])('JSON may be %s', async (_, text, [first, second]) => {
  for (const size of [1, 65_536])
    expect(seen(await readAll(jsonRecords, text, { size }))).toEqual([
      [first, plant(1n, 'a}"{,[')],
      [second, plant(9007199254740993n, 'b\\')],
    ]);
});

test('of a list, an object that is no plant is refused; an empty list has none', async () => {
  expect(seen(await readAll(jsonRecords, `[{"a":1}\n,{"id":NaN}\n]`))).toEqual([
    [1, 40002],
    [2, 40001],
  ]);
  expect(await readAll(jsonRecords, ' [\n] ')).toEqual([]);
});

const NO_LIST = 'of FILE: a file of JSON is one list of objects, [{…},{…}], or has an object a line.';
test.each([
  [
    `\n${ONE},\r\n${TWO},\r\n`,
    "Line 2 of FILE ends with a comma, as if the file were a list without its brackets. Remove the commas: sed 's/},\\r*$/}/'.",
  ],
  [`[${ONE}`, 'The list in FILE does not end: a part is missing.'],
  ['[', 'The list in FILE does not end: a part is missing.'],
  [`[${ONE},\n`, 'The list in FILE does not end: a part is missing.'],
  [`[${ONE}\n${TWO}]`, `Line 2 ${NO_LIST}`],
  [`[${ONE},\n\n[1]]`, `Line 3 ${NO_LIST}`],
  [`[${ONE},\n]`, `Line 2 ${NO_LIST}`],
  ['[1,2]', `Line 1 ${NO_LIST}`],
  [`[${ONE}]\n${TWO}`, `Line 1 ${NO_LIST}`],
  [`[${ONE}],${TWO}`, `Line 1 ${NO_LIST}`],
  [Buffer.from(`[${ONE},\n${TWO},\n"\u00fc"]`, 'latin1'), 'Line 3 of FILE is not UTF-8 text'],
  [`{\n"id":1,\n`, 'The JSON object that begins in line 1 of FILE does not end.'],
  [
    `{\n${' "a":1,\n'.repeat(200_000)}}`,
    'The JSON object that begins in line 1 of FILE is over 1 MiB, which',
  ],
])('the JSON text %$ stops the import', async (text, sentence) => {
  await expect(readAll(jsonRecords, text)).rejects.toThrow(sentence);
});

withTextTest('a first line that is cut is refused alone', async () => {
  expect(seen(await readAll(jsonRecords, `{"id":1,"a":"b\n${TWO}\n`))).toEqual([
    [1, 40001],
    [2, plant(9007199254740993n, 'b\\')],
  ]);
});

test('ids that are all values of doubles are a reason for a warning', () => {
  const warningOf = (...ids: bigint[]) => {
    const watched = lostDigits();
    for (const id of ids) watched.see(id);
    return watched.warning();
  };
  const ten = [
    2n ** 53n,
    -(2n ** 63n),
    ...Array.from({ length: 4 }, (_, n) => 123456789012345600n + BigInt(n) * 1600n),
    ...Array.from({ length: 4 }, (_, n) => 1234567890123456700n + BigInt(n) * 100n),
  ];
  expect(warningOf(...ten, 7n)).toMatch(/^All 10 ids from 2\^53 on are values of floating-point numbers: /);
  expect([warningOf(...ten.slice(1)), warningOf(...ten, 2n ** 53n + 1n)]).toEqual([undefined, undefined]);
});

const isPossible = TEXT !== undefined && OPTIONAL_TEXT !== undefined && !hasLimits(OPTIONAL_TEXT);
describe.runIf(isPossible)('of an optional text in CSV', () => {
  const NOTE = String(OPTIONAL_TEXT);
  const table = (fields: string[]) =>
    `${HEADER},${NOTE}\n${fields.map((field, n) => `${idOf(n)},Fern${MORE},${field}\n`).join('')}`;
  /** What becomes of each field: a text, undefined for absent, or 40002. */
  type Meanings = (string | number | undefined)[];
  const expectMeanings = (records: readonly InputRecord[], expected: Meanings) =>
    expect(seen(records)).toEqual(
      expected.map((text, n) => {
        const note = text !== undefined && { [NOTE]: text };
        return [n + 2, typeof text === 'number' ? text : { ...plant(BigInt(n), 'Fern'), ...note }];
      }),
    );

  const MARKS = ['\\N', 'NA', 'NULL', 'null', 'NaN', 'nan', '<NA>', 'None'];
  const allAs = (each?: string | number) => MARKS.map((mark) => (each === undefined ? mark : each));
  test.each<[fields: string[], expected: Meanings, absent?: string[]]>([
    [
      ['', '""', 'x', '"x"'],
      [undefined, '', 'x', 'x'],
    ],
    [['""'], ['']],
    [MARKS, allAs(40002)],
    [MARKS.map((mark) => `"${mark}"`), allAs()],
    [
      ['na', 'nil', '-', ' NA'],
      ['na', 'nil', '-', ' NA'],
    ],
    // Only what the option gives is absent.
    [[...MARKS, '', '""'], [...allAs(), undefined, ''], ['']],
    [['NA', '"NA"', 'NULL', '', '""'], [undefined, 'NA', 'NULL', '', ''], ['NA']],
    [
      ['NA', '', '""', 'x', '\\N'],
      [undefined, undefined, '', 'x', undefined],
      ['NA', '', '\\N'],
    ],
    [['""', '"x"', '"NA"', ''], [undefined, 'x', 'NA', ''], ['""']],
    [
      ['""', '', '"-"', '-'],
      [undefined, undefined, undefined, '-'],
      ['""', '', '"-"'],
    ],
    [['"a""b"', 'x'], [undefined, 'x'], ['"a""b"']],
  ])('%j is %j with --null %j', async (fields, expected, absent) => {
    expectMeanings(await readAll(csvRecords, table(fields), { absent }), expected);
  });

  test('a row may end before it, also with --null', async () => {
    const text = `${table(['x', 'y'])}${idOf(2)},Fern${MORE}\n`;
    expectMeanings(await readAll(csvRecords, text), ['x', 'y', undefined]);
    expectMeanings(await readAll(csvRecords, text, { absent: ['NA'] }), ['x', 'y', undefined]);
  });

  test('a mark is refused with the option that decides, and kept as text', async () => {
    const [uncertain] = await readAll(csvRecords, table(['\\N', 'x']));
    expect(uncertain).toMatchObject({
      source: `${idOf(0)},Fern${MORE},\\N`,
      content: {
        refusal: {
          message: `The ${NOTE} is written \\N, which some tools write for what is absent. Say what is: --null '\\N' (and --null '' if an empty field is, too), or --null '' alone if \\N is a text.`,
        },
      },
    });
  });

  describe.runIf(!/["|]/.test(table([''])))('with tabs or bars', () => {
    test.each(['\t', '|'])('%j: a backslash without quotes is refused', async (separator) => {
      const text = table(['a\\nb', '"a\\nb"', 'x']).replaceAll(',', separator);
      expectMeanings(await readAll(csvRecords, text), [40002, 'a\\nb', 'x']);
    });

    test.each(['\t', '|'])(
      '%j: a line break in quotes is refused, because it may be the end of a row',
      async (separator) => {
        const fields = ['"Open', 'x', 'y"', '"z"'];
        const text = table(fields).replaceAll(',', separator);
        const [rows, last, ...others] = await readAll(csvRecords, text);
        const message = expect.stringContaining(': --no-quotes says so.');
        expect([rows?.line, rows?.content, others]).toEqual([2, { refusal: { error: 40002, message } }, []]);
        expect(last?.content).toEqual({ plant: { ...plant(3n, 'Fern'), [NOTE]: 'z' } });
        expectMeanings(await readAll(csvRecords, text, { quotes: false }), fields);
      },
    );

    test.each(['\t', '|'])(
      '%j: a quote inside a text is no CSV, unless quotes are texts',
      async (separator) => {
        const fields = ['Rosa "Peace"', '5" pot'];
        const text = table(fields).replaceAll(',', separator);
        await expect(readAll(csvRecords, text)).rejects.toThrow(
          /in line 2 is no CSV.*: --no-quotes says so\.$/,
        );
        expectMeanings(await readAll(csvRecords, text, { quotes: false }), fields);
      },
    );
  });
});

test('a mark is none where the model has it as a choice', () => {
  const marks = [{}, { enum: ['NA', 'x'] }, { enum: [1, 2] }].map((schema) => isMark('NA', schema));
  expect(marks).toEqual([true, false, true]);
});

test.runIf(TEXT !== undefined && !hasLimits(NAME))('of a required text, a mark is a text', async () => {
  const text = `${HEADER}\n${idOf(1)},NA${MORE}\n${idOf(2)},null${MORE}\n`;
  expect(seen(await readAll(csvRecords, text))).toEqual([
    [2, plant(1n, 'NA')],
    [3, plant(2n, 'null')],
  ]);
});

withTextTest.each([
  ['UTF-16', Buffer.from('\ufeffid,name\n', 'utf16le'), 1],
  ['Latin-1', Buffer.from(`${HEADER}\n\n6,M\u00fcller${MORE}\n7,x${MORE}\n`, 'latin1'), 3],
  ['cut in a character', Buffer.from(`${HEADER}\n6,M\u00fc`).subarray(0, -1), 2],
])('%s is no text', async (_, bytes, line) => {
  const sentence = `Line ${line} of FILE is not UTF-8 text; save the original as CSV UTF-8, or unpack it.`;
  for (const size of [1, 65_536])
    await expect(readAll(csvRecords, bytes, { size })).rejects.toThrow(sentence);
});

test('the text of a refused line is kept until its plant stands beside it', async () => {
  const line = '{"refused":{"line":7,"error":40002,"message":"any","text":"1,a,NA"}}';
  const [record] = await readAll(jsonRecords, line);
  expect(record?.content).toEqual({
    refusal: { error: 40002, message: expect.stringContaining('write the plant as JSON beside "refused"') },
  });
  const again = refusedLine(record as InputRecord, { error: 40002, message: 'any' });
  expect(again).toBe('{"refused":{"line":1,"error":40002,"message":"any","text":"1,a,NA"}}\n');
});

test('an item of DynamoDB alone is a plant, also after it was refused; an attribute "refused" is not ignored', async () => {
  const item = JSON.stringify(itemOf('9007199254740993', WHOLE));
  const text = `${item}\n${extended(item, '"refused":{"line":1}')}\n${extended(item, '"refused":{"S":"x"}')}\n`;
  expect(seen(await readAll(jsonRecords, text))).toEqual([
    [1, { ...WHOLE, id: keyed(9007199254740993n) }],
    [2, { ...WHOLE, id: keyed(9007199254740993n) }],
    [3, 40002],
  ]);
});

withTextTest('beside a plain id, an attribute of DynamoDB is no text', async () => {
  const text = ndjson('7', 'x').replace('"x"', '{"S":"x"}');
  expect(seen(await readAll(jsonRecords, text))).toEqual([[1, 40002]]);
});
