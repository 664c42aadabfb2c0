import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PlainError } from '../../terminal/plain-error.ts';
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

const CSV: Lines = [
  ['\ufeffid,name,tag\r\n', undefined],
  ['1,Fern,shade\r\n', { id: 1n, name: 'Fern', tag: 'shade' }],
  ['9223372036854775807,"Ro""se, red",\n', { id: 9223372036854775807n, name: 'Ro"se, red' }],
  ['\n', undefined],
  ['-9223372036854775808,"two\n🌿",x\n', { id: -9223372036854775808n, name: 'two\n🌿', tag: 'x' }],
  ['9223372036854775808,Past the end,\n', 40002],
  ['007,Digits that would be lost,\n', 40002],
  ['1e3,A number that is not written out,\n', 40002],
  ['\ufeff2,A byte order mark inside,\n', 40002],
  ['4,,no name\n', 40002],
  ['""\n', undefined],
  [',,\n', undefined],
  [',"",,,\n', undefined],
  ['8,Moss, t \n', { id: 8n, name: 'Moss', tag: ' t ' }],
  ['9,Two fields\n', 40002],
  ['10,Four,fields,here\n', 40002],
  [Buffer.from('10,Not UTF-8: \u00ff,\n', 'latin1'), 40001],
  ['11,Last,t', { id: 11n, name: 'Last', tag: 't' }],
];

const NDJSON: Lines = [
  ['\ufeff{"id":9007199254740993,"name":"Fern"}\n', { id: 9007199254740993n, name: 'Fern' }],
  ['{"id":1e3,"name":"","tag":""}\r\n', { id: 1000n, name: '', tag: '' }],
  ['\n', undefined],
  [' \t\r\n', undefined],
  ['\u00a0\n', 40001],
  ['{"id":3,"name":"x"}\u2028\n', 40001],
  ['\ufeff{"id":4,"name":"x"}\n', 40001],
  [' {"id":5,"name":"x"}\t\n', { id: 5n, name: 'x' }],
  ['{"id":-9007199254740993,"name":"🌿","refused":{"error":1}}\n', { id: -9007199254740993n, name: '🌿' }],
  ['not JSON\n', 40001],
  [Buffer.from('{"id":6,"name":"\u00ff"}\n', 'latin1'), 40001],
  ['{"id":9223372036854775808,"name":"x"}\n', 40002],
  ['{"id":1,"name":"x","tags":"y"}\n', 40002],
  ['{"id":1,"id":2,"name":"x"}\n', 40001],
  ['{"id":1}\n', 40002],
  ['[1]\n', 40002],
  ['{"id":2,"name":"x","tag":"last"}', { id: 2n, name: 'x', tag: 'last' }],
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
    const next = lineBreak && '{"id":2,"name":"Fern"}';
    const outcome = async (bytes: number) => {
      const name = 'x'.repeat(bytes - '{"id":1,"name":""}'.length);
      const records = await readAll(ndjsonRecords, `{"id":1,"name":"${name}"}${lineBreak}${next}`);
      expect(records[0]).not.toHaveProperty('text');
      return seen(records).map(([, each]) => each);
    };
    const others = next ? [{ id: 2n, name: 'Fern' }] : [];
    expect(await outcome(1_048_576)).toEqual([{ id: 1n, name: expect.any(String) }, ...others]);
    expect(await outcome(1_048_577)).toEqual([41301, ...others]);
  },
);

test.each([
  ['id,name,color', 'The header has "color"; the columns are id, name and optionally tag'],
  ['id;name;tag', 'The header has "id;name;tag"; the columns are'],
  [`id,${'x'.repeat(41)}`, `The header has "${'x'.repeat(40)}"; the columns are`],
  ['id,name,id', 'The header has the column id twice; the columns are'],
  ['id,name,""', 'The header has ""; the columns are'],
  ['id,tag', 'The header lacks name; the columns are'],
  ['"id,name', 'The row that begins in line 1 has a double quote out of place or never closed'],
  ['', 'The CSV file is empty; its first line must name the columns.'],
])('the header %j stops the import', async (header, sentence) => {
  await expect(readAll(csvRecords, `${header}\n1,Fern,t`.slice(header ? 0 : 99))).rejects.toThrow(sentence);
});

const INNER = '777,Inner line,t\n';
const QUOTE = 'has a double quote out of place or never closed';
const LARGE = `is over 1 MiB, or ${QUOTE}`;
test.each([
  [`2,Fe"rn,t\n${INNER}`, QUOTE],
  [`2,5" pot,"t\n${INNER}"\n${INNER}`, QUOTE],
  // A lone carriage return at the end of the file.
  ['2,Fern,"t"\r', QUOTE],
  [`2,"Fern\n${INNER}`, QUOTE],
  [`2,"${INNER.repeat(70_000)}`, LARGE],
  [`2,"${INNER.repeat(70_000)}",t\n3,Ivy,t\n`, LARGE],
  // Its fields would fill the memory.
  [`2${','.repeat(10_000_000)}`, LARGE],
])('the rows before %.20j are read, and nothing after it', async (text, sentence) => {
  const records: InputRecord[] = [];
  const done = readAll(csvRecords, `id,name,tag\n1,Fern,t\n${text}`, 65_536, records);
  await expect(done).rejects.toThrow(
    `The row that begins in line 3 ${sentence}, so the rows after it are not certain; correct that row.`,
  );
  expect(seen(records)).toEqual([[2, { id: 1n, name: 'Fern', tag: 't' }]]);
});

test('a property that plants do not have is named', async () => {
  const [record] = await readAll(ndjsonRecords, `{"id":1,"name":"x","${'y'.repeat(41)}":1}`);
  const message = `A plant has no property "${'y'.repeat(40)}".`;
  expect(record?.content).toEqual({ refusal: { error: 40002, message } });
});

const X40 = 'x'.repeat(40);
test.each([
  ...['0128', ' 129 ', '126.0', '1,250', '-0128', '+7', '7-', 'x1E+18', 'seven'].map((id) => [id, `"${id}"`]),
  [`${X40}x`, `"${X40}"`],
  ...['1.0E+18', '1E+18', '1,23457E+18', '-9.22337e18'].map((id) => [id, id]),
])('the id %s of a CSV file is refused in words for a spreadsheet', async (id, shown) => {
  const [record] = await readAll(csvRecords, `id,name\n"${id}",Fern\n`);
  const hint = shown.startsWith('"')
    ? '; use plain digits: no leading zero, space, point or comma.'
    : ', as spreadsheets do after losing digits; export the column as text.';
  const message = `The id is written ${shown}${hint}`;
  expect(record?.content).toEqual({ refusal: { error: 40002, message } });
  expect(record?.properties?.get('id')).toBe(`"${id}"`);
});

test('separators alone, before the header and after it, are blank lines', async () => {
  const records = await readAll(csvRecords, ',,,\nid,name\n,,,\n,\n5,Fern\n,,');
  expect(seen(records)).toEqual([[5, { id: 5n, name: 'Fern' }]]);
});

test.each([
  ['CSV', csvRecords, 'id,name\n6,M\u00fcller\n', 'CSV UTF-8'],
  ['NDJSON', ndjsonRecords, '\n{"id":6,"name":"M\u00fcller"}\n', 'UTF-8'],
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

test('a file that cannot be read is named, with the cause; so is one that is not text', async () => {
  const read = async (file: string) => {
    for await (const _ of inputBytes(file, new AbortController().signal));
  };
  const folder = temporaryFolder();
  await expect(read(folder)).rejects.toThrow(new PlainError(`${folder} cannot be read (EISDIR).`));
  const packed = path.join(folder, 'plants.csv');
  writeFileSync(packed, gzipSync('id,name\n'));
  await expect(read(packed)).rejects.toThrow(new PlainError(`${packed} is compressed with gzip; unpack it.`));
});
