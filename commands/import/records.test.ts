import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PlainError } from '../../cli/plain-error.ts';
import { bodyOf, EXAMPLES, LEAST, TEXT, WHOLE } from '../../contract/examples.ts';
import { asRead, SCHEMAS, SENT } from '../../test/support/properties.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { csvRecords } from './csv.ts';
import { startingAt } from './import-plants.ts';
import { inputBytes, textBytes } from './input.ts';
import { ndjsonRecords } from './ndjson.ts';
import type { InputRecord } from './record.ts';

type Read = (chunks: AsyncIterable<Buffer>) => AsyncIterable<InputRecord>;

/** Reads the bytes of a text, in chunks of a size. @param records gets them until an error */
async function readAll(read: Read, text: string | Buffer, size = 65_536, records: InputRecord[] = []) {
  async function* chunks() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  for await (const record of read(textBytes(chunks(), 'FILE'))) records.push(record);
  return records;
}

/** What becomes of a line: its plant, the number of its refusal, or nothing if it is empty. */
type Lines = readonly (readonly [text: string | Buffer, expected: object | number | undefined])[];

// The tests are about bytes, lines and fields: a text varies, and the other required properties stay.
const { [TEXT]: _, ...REST } = LEAST;
const MORE = Object.values(REST).reduce((text, value) => `${text},"${value}"`, '');
const HEADER = ['id', TEXT, ...Object.keys(REST)].join();
const plant = (id: bigint, text: unknown) => ({ ...asRead(LEAST), id, [TEXT]: text });
const ndjson = (id: string, text: string) => bodyOf(id, { ...LEAST, [TEXT]: text });
const extended = (body: string, property: string) => `${body.slice(0, -1)},${property}}`;

const CSV: Lines = [
  ['\ufeff,,,\n', undefined],
  [`${HEADER}\r\n`, undefined],
  [`1,Fern${MORE}\r\n`, plant(1n, 'Fern')],
  [`9223372036854775807,"Ro""se, red"${MORE}\n`, plant(9223372036854775807n, 'Ro"se, red')],
  ['\n', undefined],
  [`-9223372036854775808,"two\n🌿"${MORE}\n`, plant(-9223372036854775808n, 'two\n🌿')],
  [`9223372036854775808,Past the end${MORE}\n`, 40002],
  [`007,Digits that would be lost${MORE}\n`, 40002],
  [`1e3,A number that is not written out${MORE}\n`, 40002],
  [`\ufeff2,A byte order mark inside${MORE}\n`, 40002],
  [`4,${MORE}\n`, 40002],
  ['""\n', undefined],
  [',,\n', undefined],
  [',"",,,\n', undefined],
  [`8, t ${MORE}\n`, plant(8n, ' t ')],
  ['9\n', 40002],
  [`10,One field more${MORE},here\n`, 40002],
  [Buffer.from(`10,Not UTF-8: \u00ff${MORE}\n`, 'latin1'), 40001],
  [`11,Last${MORE}`, plant(11n, 'Last')],
];

const NDJSON: Lines = [
  [`\ufeff${ndjson('9007199254740993', 'Fern')}\n`, plant(9007199254740993n, 'Fern')],
  [`${ndjson('1e3', '')}\r\n`, plant(1000n, '')],
  ['\n', undefined],
  [' \t\r\n', undefined],
  ['\u00a0\n', 40001],
  [`${ndjson('3', 'x')}\u2028\n`, 40001],
  [`\ufeff${ndjson('4', 'x')}\n`, 40001],
  [` ${ndjson('5', 'x')}\t\n`, plant(5n, 'x')],
  [`${extended(ndjson('-7', '🌿'), '"refused":{"error":1}')}\n`, plant(-7n, '🌿')],
  ['not JSON\n', 40001],
  [Buffer.from(`${ndjson('6', '\u00ff')}\n`, 'latin1'), 40001],
  [`${ndjson('9223372036854775808', 'x')}\n`, 40002],
  [`${extended(ndjson('1', 'x'), '"unknown":"y"')}\n`, 40002],
  [`${extended(ndjson('1', 'x'), '"id":2')}\n`, 40001],
  ['{"id":1}\n', 40002],
  ['[1]\n', 40002],
  [ndjson('2', 'last'), plant(2n, 'last')],
];

/** For each record, its line, and its plant or the number of its refusal. */
function seen(records: readonly InputRecord[]) {
  const of = ({ content }: InputRecord) => ('plant' in content ? content.plant : content.refusal.error);
  return records.map((record) => [record.line, of(record)]);
}

describe.each([
  { format: 'CSV', read: csvRecords, lines: CSV },
  { format: 'NDJSON', read: ndjsonRecords, lines: NDJSON },
])('$format', ({ read, lines }) => {
  const text = Buffer.concat(lines.map(([line]) => Buffer.from(line as string)));

  test('plants keep every digit, and a line that is not a plant is refused with its number', async () => {
    let line = 1;
    const expected: unknown[] = [];
    for (const [content, each] of lines) {
      if (each !== undefined) expected.push([line, each]);
      line += String(content).split('\n').length - 1;
    }
    expect(seen(await readAll(read, text))).toEqual(expected);
  });

  test.each([1, 7])('chunks of %i bytes give the same records', async (size) => {
    expect(await readAll(read, text, size)).toEqual(await readAll(read, text));
  });

  test('reading can start at each record, and at an empty line, but not inside a record or at the end', async () => {
    const records = await readAll(read, text);
    const from = (line: number) => readAll((chunks) => startingAt(read(chunks), line), text);
    for (const [index, { line, end }] of records.entries()) {
      expect(await from(line)).toEqual(records.slice(index));
      for (let inside = line + 1; inside < end.line; inside += 1)
        await expect(from(inside)).rejects.toThrow(
          `Line ${inside} is inside the record of lines ${line} to ${end.line - 1}.`,
        );
    }
    const { line = 0 } = records.at(-1) ?? {};
    await expect(from(line + 1)).rejects.toThrow(`No record begins in line ${line + 1} or later.`);
  });
});

test.each(['\r\n', ''])(
  'a line of NDJSON of 1 MiB before %j is read, and one more byte is refused without its text',
  async (lineBreak) => {
    const next = lineBreak && ndjson('2', 'Fern');
    const outcome = async (bytes: number) => {
      const text = 'x'.repeat(bytes - ndjson('1', '').length);
      const records = await readAll(ndjsonRecords, `${ndjson('1', text)}${lineBreak}${next}`);
      expect(records[0]).not.toHaveProperty('text');
      return seen(records).map(([, each]) => each);
    };
    const others = next ? [plant(2n, 'Fern')] : [];
    expect(await outcome(1_048_576)).toEqual([plant(1n, expect.any(String)), ...others]);
    expect(await outcome(1_048_577)).toEqual([41301, ...others]);
  },
);

const COLUMNS = `the columns are ${SENT.join(', ')} (required: ${SCHEMAS.NewPlant.required.join(', ')}), separated`;
test.each([
  ['id,quux', `The header has "quux"; ${COLUMNS}`],
  [`id,${'x'.repeat(41)}`, `The header has "${'x'.repeat(40)}"; ${COLUMNS}`],
  [`${HEADER},id`, `The header has the column id twice; ${COLUMNS}`],
  ['id', `The header lacks ${SCHEMAS.NewPlant.required[1]}; ${COLUMNS}`],
  [`"${HEADER}`, 'The row that begins in line 1 has a double quote out of place or never closed'],
  ['', 'The CSV file is empty; its first line must name the columns.'],
])('the header %j stops the import', async (header, sentence) => {
  await expect(readAll(csvRecords, `${header}\n1,Fern${MORE}`.slice(header ? 0 : 99))).rejects.toThrow(
    sentence,
  );
});

test.each(Object.keys(EXAMPLES))('if the column %s is empty, the property is absent', async (name) => {
  const header = ['id', ...Object.keys(WHOLE)].join();
  const row = (plant: object) => [1, ...Object.values(plant)].join();
  const text = `${header}\n${row(WHOLE)}\n${row({ ...WHOLE, [name]: '' })}\n`;
  const whole = asRead({ id: 1, ...WHOLE });
  const { [name]: _, ...others } = whole;
  const empty = SCHEMAS.NewPlant.required.includes(name) ? 40002 : others;
  expect(seen(await readAll(csvRecords, text))).toEqual([
    [2, whole],
    [3, empty],
  ]);
});

const INNER = `777,Inner line${MORE}\n`;
const QUOTE = 'has a double quote out of place or never closed';
const LARGE = `is over 1 MiB, or ${QUOTE}`;
test.each([
  [`2,Fe"rn${MORE}\n${INNER}`, QUOTE],
  [`2,5" pot${MORE},"t\n${INNER}"\n${INNER}`, QUOTE],
  // A lone carriage return at the end of the file.
  ['2,"Fern"\r', QUOTE],
  [`2,"Fern\n${INNER}`, QUOTE],
  [`2,"${INNER.repeat(80_000).replaceAll('"', '')}`, LARGE],
  [`2,"${INNER.repeat(80_000).replaceAll('"', '')}"${MORE}\n3,Ivy${MORE}\n`, LARGE],
  // Its fields would fill the memory.
  [`2${','.repeat(10_000_000)}`, LARGE],
])('%$: the rows before a broken one are read, and nothing after it', async (text, sentence) => {
  const records: InputRecord[] = [];
  const done = readAll(csvRecords, `${HEADER}\n1,Fern${MORE}\n${text}`, 65_536, records);
  await expect(done).rejects.toThrow(
    `The row that begins in line 3 ${sentence}, so the rows after it are not certain; correct or remove that row first.`,
  );
  expect(seen(records)).toEqual([[2, plant(1n, 'Fern')]]);
});

test('a property that plants do not have is named', async () => {
  const [record] = await readAll(ndjsonRecords, extended(ndjson('1', 'x'), `"${'y'.repeat(41)}":1`));
  const message = `A plant has no property "${'y'.repeat(40)}".`;
  expect(record?.content).toEqual({ refusal: { error: 40002, message } });
});

const X40 = 'x'.repeat(40);
test.each([
  ...['0128', ' 129 ', '126.0', '1,250', '-0128', '+7', '7-', 'x1E+18', 'seven'].map((id) => [id, `"${id}"`]),
  [`${X40}x`, `"${X40}"`],
  ...['1.0E+18', '1E+18', '1,23457E+18', '-9.22337e18'].map((id) => [id, id]),
])('the id %s of a CSV file is refused in words for a spreadsheet', async (id, shown) => {
  const [record] = await readAll(csvRecords, `${HEADER}\n"${id}",Fern${MORE}\n`);
  const hint = shown.startsWith('"')
    ? '; use plain digits: no leading zero, space, point or comma.'
    : ', as spreadsheets do after losing digits; export the column as text.';
  const message = `The id is written ${shown}${hint}`;
  expect(record?.content).toEqual({ refusal: { error: 40002, message } });
  expect(record?.properties?.get('id')).toBe(`"${id}"`);
});

test.each([
  ['CSV', csvRecords, `${HEADER}\n6,M\u00fcller${MORE}\n`, 'CSV UTF-8'],
  ['NDJSON', ndjsonRecords, `\n${ndjson('6', 'M\u00fcller')}\n`, 'UTF-8'],
])('of a line of %s in Windows-1252, only the remedy is kept', async (_, read, text, as) => {
  const [record] = await readAll(read, Buffer.from(text, 'latin1'));
  const message = `The line is not UTF-8; save the original as ${as} and import that again.`;
  expect(record).toMatchObject({ line: 2, content: { refusal: { error: 40001, message } } });
  expect(record).not.toHaveProperty('text');
  expect(record).not.toHaveProperty('properties');
});

const AS_UTF_16 = 'FILE is UTF-16; save it as UTF-8.';
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
test.each([
  ['a workbook', Buffer.from('PK\u0003\u0004rest'), 'FILE is a ZIP archive or an Excel workbook;'],
  ['one of Excel 97', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'FILE is an Excel workbook; save it as CSV'],
  ['UTF-16 without a mark', utf16('id,name\n'), AS_UTF_16],
  ['big-endian UTF-16', utf16('\ufeffid,name\n').swap16(), AS_UTF_16],
  ['Latin-1', Buffer.from('id,n\u00e4me\n', 'latin1'), 'The header is not UTF-8; save the original as CSV'],
])('%s is named', async (_, bytes, sentence) => {
  for (const size of [1, 3, 65_536]) await expect(readAll(csvRecords, bytes, size)).rejects.toThrow(sentence);
});

/** Reads a file. @param step after each chunk */
async function readFile(file: string, size = 0, step = () => {}) {
  for await (const _ of inputBytes({ file, size }, new AbortController().signal)) step();
}

test('a file that cannot be read is named, with the cause; so is one that is not text', async () => {
  const folder = temporaryFolder();
  await expect(readFile(folder)).rejects.toThrow(new PlainError(`${folder} cannot be read (EISDIR).`));
  const packed = path.join(folder, 'plants.csv');
  writeFileSync(packed, gzipSync('id,name\n'));
  const message = `${packed} is compressed with gzip; unpack it.`;
  await expect(readFile(packed)).rejects.toThrow(new PlainError(message));
});

test('a file that becomes shorter while it is read is no whole file', async () => {
  const file = path.join(temporaryFolder(), 'plants.csv');
  writeFileSync(file, 'x'.repeat(1_000_000));
  const read = readFile(file, 1_000_000, () => truncateSync(file, 100_000));
  await expect(read).rejects.toThrow(new PlainError(`${file} became shorter while it was read.`));
});
