import { expect, test } from 'vitest';
import { bodyOf, LEAST, PROPERTIES, REQUIRED, TEXT, WHOLE } from '../../contract/examples.ts';
import { IS_NUMBER, idOf } from '../../contract/key.ts';
import { jsonOf } from '../../lambda/json.ts';
import type { NewPlant } from '../../lambda/plant.ts';
import { csvFields, withText } from '../../test/support/properties.ts';
import { csvRecords } from './csv.ts';
import { ndjsonRecords } from './ndjson.ts';
import type { InputRecord } from './record.ts';
import { linesOf } from './text.ts';

/** Reads the bytes of a text, in chunks of a size. */
async function readAll(read: typeof csvRecords, text: string | Buffer, size = 65_536) {
  async function* chunks() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const all: InputRecord[] = [];
  for await (const record of read(linesOf(chunks(), 'FILE'))) all.push(record);
  return all;
}

/** What becomes of a line: its plant, the number of its refusal, or nothing if it is empty. */
type Lines = readonly (readonly [text: string, expected: object | number | undefined])[];

// The tests are about bytes, lines and fields: a text varies, and the other required properties stay.
const NAME = String(TEXT);
const { [NAME]: _, ...REST } = LEAST;
const withTextTest = test.runIf(TEXT !== undefined);
const MORE = Object.keys(REST).length === 0 ? '' : `,${csvFields(REST)}`;
const HEADER = ['id', NAME, ...Object.keys(REST)].join();
const plant = (id: bigint, text: unknown) => ({ ...LEAST, id: IS_NUMBER ? id : idOf(id), [NAME]: text });
const ndjson = (id: string, text: string) => bodyOf(id, { ...LEAST, [NAME]: text });
const extended = (body: string, property: string) => `${body.slice(0, -1)},${property}}`;

const EMPTY = String(withText('')[NAME]);
const NO_ID = IS_NUMBER ? '9223372036854775808' : 'x';

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
  const asNumber = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  const exactId = ({ id, ...plant }: NewPlant) => ({ id, ...JSON.parse(JSON.stringify(plant, asNumber)) });
  const of = ({ content }: InputRecord) =>
    'plant' in content ? exactId(content.plant) : content.refusal.error;
  return records.map((record) => [record.line, of(record)]);
}

withTextTest.each([
  ['CSV', csvRecords, CSV],
  ['NDJSON', ndjsonRecords, NDJSON],
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
    for (const size of [1, 65_536]) expect(seen(await readAll(read, text, size))).toEqual(expected);
  },
);

const COLUMNS = `; the columns are ${Object.keys(PROPERTIES).join(', ')} (required: ${REQUIRED.join(', ')}), each once, separated by commas or semicolons.`;
const NO_CSV = 'The row that begins in line 2 is no CSV, so the rows after it are not certain: ';
withTextTest.each([
  [`${HEADER},quux`, `The header has "${HEADER},quux"${COLUMNS}`],
  [`${HEADER},id`, `The header has "${HEADER},id"${COLUMNS}`],
  ['id', `The header has "id"${COLUMNS}`],
  ['', 'The CSV file is empty; its first line must name the columns.'],
  [`${HEADER}\n2,Fe"rn${MORE}`, `${NO_CSV}Invalid Opening Quote: a quote is found on field 1 at line 2`],
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

withTextTest('an empty field is an absent property', async () => {
  const names = Object.keys(WHOLE);
  const row = names.map((name) => (name in LEAST ? csvFields({ [name]: LEAST[name] }) : ''));
  const text = `id,${names}\n${idOf(1)},${row}\n`;
  expect(seen(await readAll(csvRecords, text))).toEqual([[2, plant(1n, LEAST[NAME])]]);
});

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

withTextTest('a property that plants do not have is named', async () => {
  const [record] = await readAll(ndjsonRecords, extended(ndjson('1', 'x'), '"quux":1'));
  expect(record?.content).toEqual({ refusal: { error: 40002, message: 'A plant has no property "quux".' } });
});

withTextTest.each([
  ['UTF-16', Buffer.from('\ufeffid,name\n', 'utf16le'), 1],
  ['Latin-1', Buffer.from(`${HEADER}\n\n6,M\u00fcller${MORE}\n7,x${MORE}\n`, 'latin1'), 3],
  ['cut in a character', Buffer.from(`${HEADER}\n6,M\u00fc`).subarray(0, -1), 2],
])('%s is no text', async (_, bytes, line) => {
  const sentence = `Line ${line} of FILE is not UTF-8 text; save the original as CSV UTF-8, or unpack it.`;
  for (const size of [1, 65_536]) await expect(readAll(csvRecords, bytes, size)).rejects.toThrow(sentence);
});
