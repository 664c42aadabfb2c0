import { describe, expect, test } from 'vitest';
import { csvRecords } from '../../../tools/import/csv.ts';
import { ndjsonRecords } from '../../../tools/import/ndjson.ts';
import type { InputRecord, Position } from '../../../tools/import/record.ts';

type Read = (chunks: AsyncIterable<Buffer>, next: Position) => AsyncIterable<InputRecord>;
const columns = ['id', 'name', 'tag'];
const csv: Read = (chunks, next) => csvRecords(chunks, { next, ...(next.offset > 0 ? { columns } : {}) });

const BEGIN = { offset: 0, line: 1 };

/** Reads the bytes of a text from a position on, in chunks of a size. */
async function readAll(
  read: Read,
  text: string | Buffer,
  size = 65_536,
  from = BEGIN,
): Promise<InputRecord[]> {
  async function* chunks() {
    const bytes = Buffer.from(text);
    for (let at = from.offset; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const records: InputRecord[] = [];
  for await (const record of read(chunks(), from)) records.push(record);
  return records;
}

/** What becomes of a line: its plant, the number of its refusal, or nothing if it is empty. */
type Lines = readonly (readonly [text: string, expected: object | number | undefined])[];

const CSV: Lines = [
  ['\ufeffid,name,tag\r\n', undefined],
  ['1,Fern,shade\r\n', { id: 1n, name: 'Fern', tag: 'shade' }],
  ['9223372036854775807,"Ro""se, red",\n', { id: 9223372036854775807n, name: 'Ro"se, red' }],
  ['\n', undefined],
  [
    '-9223372036854775808,"two\nlines 🌿",x\n',
    { id: -9223372036854775808n, name: 'two\nlines 🌿', tag: 'x' },
  ],
  ['9223372036854775808,Past the end,\n', 40002],
  ['007,Digits that would be lost,\n', 40002],
  ['1e3,A number that is not written out,\n', 40002],
  ['2,Fe"rn,t\n', 40001],
  ['3,"Fe"rn,t\n', 40001],
  ['4,,no name\n', 40002],
  ['"5,never closed,t\n', 40001],
  ['6,"closed much later,t\n', 40001],
  ['7,Oak,"t\n', 40001],
  ['8,Elm, t \n', { id: 8n, name: 'Elm', tag: ' t ' }],
  ['9,Two fields\n', 40002],
  ['10,Four,fields,here\n', 40002],
  ['11,Last,t', { id: 11n, name: 'Last', tag: 't' }],
];

const NDJSON: Lines = [
  ['{"id":9007199254740993,"name":"Fern"}\n', { id: 9007199254740993n, name: 'Fern' }],
  ['{"id":1e3,"name":"","tag":""}\r\n', { id: 1000n, name: '', tag: '' }],
  ['\n', undefined],
  [
    '{"id":-9223372036854775808,"name":"🌿","refused":{"error":40901}}\n',
    { id: -9223372036854775808n, name: '🌿' },
  ],
  ['not JSON\n', 40001],
  ['{"id":9223372036854775808,"name":"x"}\n', 40002],
  ['{"id":1,"name":"x","tags":"y"}\n', 40002],
  ['{"id":1,"id":2,"name":"x"}\n', 40001],
  ['{"id":1}\n', 40002],
  ['[1]\n', 40002],
  ['{"id":2,"name":"x","tag":"last"}', { id: 2n, name: 'x', tag: 'last' }],
];

/** For each record, its line, and its plant or the number of its refusal. */
function seen(records: readonly InputRecord[]) {
  return records.map(({ line, content }) => [
    line,
    'plant' in content ? content.plant : content.refusal.error,
  ]);
}

describe.each([
  {
    format: 'CSV',
    read: csv,
    lines: CSV,
    recordLines: [2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
  },
  { format: 'NDJSON', read: ndjsonRecords, lines: NDJSON, recordLines: [1, 2, 4, 5, 6, 7, 8, 9, 10, 11] },
])('$format', ({ read, lines, recordLines }) => {
  const text = lines.map(([line]) => line).join('');

  test('plants keep every digit, and a line that is not a plant is refused with its number', async () => {
    const expected = lines.flatMap(([, each]) => (each === undefined ? [] : [each]));
    expect(seen(await readAll(read, text))).toEqual(expected.map((each, n) => [recordLines[n], each]));
  });

  test.each([1, 2, 3, 7, 64])('chunks of %i bytes give the same records', async (size) => {
    expect(await readAll(read, text, size)).toEqual(await readAll(read, text));
  });

  test('reading can continue after each record', async () => {
    const records = await readAll(read, text);
    for (const [at, { end }] of records.entries())
      expect(await readAll(read, text, 64, end)).toEqual(records.slice(at + 1));
  });

  test('a line over 1 MiB and a line that is not UTF-8 are refused, and the rest is read', async () => {
    const [first = '', second = ''] = format(read, ['1', '2']);
    const large = format(read, ['3'], 'x'.repeat(1_100_000))[0] ?? '';
    const broken = Buffer.from(format(read, ['4'], '?')[0] ?? '');
    broken[broken.indexOf('?')] = 0xff;
    const bytes = Buffer.concat([first, large, broken, second].map((line) => Buffer.from(line)));
    const head = read === csv ? Buffer.from('id,name,tag\n') : Buffer.alloc(0);
    const line = read === csv ? 2 : 1;
    const records = await readAll(read, Buffer.concat([head, bytes]));
    expect(seen(records)).toEqual([
      [line, { id: 1n, name: 'Fern', tag: 't' }],
      [line + 1, 41301],
      [line + 2, 40001],
      [line + 3, { id: 2n, name: 'Fern', tag: 't' }],
    ]);
    expect(records[1]).not.toHaveProperty('text', expect.anything());
  });
});

function format(read: Read, ids: string[], name = 'Fern'): string[] {
  return ids.map((id) => (read === csv ? `${id},${name},t\n` : `{"id":${id},"name":"${name}","tag":"t"}\n`));
}

test.each([
  [
    'id,name,colour',
    'The header has "colour"; the columns are id, name and optionally tag, separated by commas.',
  ],
  ['id;name;tag', 'The header has "id;name;tag"; the columns are'],
  ['id,name,id', 'The header has "id"; the columns are'],
  ['id,tag', 'The header lacks id or name; the columns are'],
  ['"id,name', 'The header is not CSV'],
  ['', 'The CSV file is empty; its first line must name the columns.'],
])('the header %j stops the import', async (header, sentence) => {
  await expect(readAll(csv, `${header}\n1,Fern,t`.slice(header ? 0 : 99))).rejects.toThrow(sentence);
});

test('after a quote that is never closed, the reader reads about 1 MiB ahead at most', async () => {
  let read = 0;
  async function* chunks() {
    yield Buffer.from('id,name\n1,"open\n');
    for (; ; read += 65_536) yield Buffer.alloc(65_536, '2,Fern\n');
  }
  const { value } = await csv(chunks(), BEGIN)[Symbol.asyncIterator]().next();
  expect(value).toMatchObject({ line: 2, content: { refusal: { error: 40001 } }, text: '1,"open' });
  expect(read).toBeLessThan(1_200_000);
});
