/** The rows of the importer compared with those of csv-parse, which is the referee. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRows } from './csv-rows.ts';

/** How many texts are compared. */
const TEXTS = 4_000;
/** The most bytes of a row in these texts. */
const MOST = 24;
/** What the texts consist of: rows that are in order, fields that are closed, over the limit or not, and characters alone; what stands twice is chosen twice as often. */
const PIECES = [
  ...['7,Oak\n', '8,"Elm"\n', '9,"a\n777,Inner line\nb"\n', `"${'x'.repeat(MOST)}\n777,Inner line\n"\n`],
  ...['\r\n', '""', '","', '"\n', 'y'.repeat(MOST)],
  ...'""",\n\n\ra1 🌿',
];

interface Rows {
  readonly rows: readonly (readonly string[])[];
  readonly isCsv: boolean;
}

/** The referee's rows before its first error, without those over the limit. */
function refereeRows(text: string): Rows {
  const rows: string[][] = [];
  const bytes = Buffer.from(text);
  let end = 0;
  const on_record = ({ record, info }: { record: string[]; info: { bytes: number } }) => {
    const row = bytes.toString('latin1', end, info.bytes).replace(/\r?\n$/, '');
    end = info.bytes;
    if (row.length <= MOST) rows.push(record);
    return null;
  };
  const options = { info: true, relax_column_count: true, record_delimiter: ['\n', '\r\n'], on_record };
  try {
    parse(text, options as object);
    return { rows, isCsv: true };
  } catch {
    return { rows, isCsv: false };
  }
}

/** The importer's rows of a text that comes in chunks, without those over the limit. */
async function importedRows(text: string, chunkSize: number): Promise<Rows> {
  async function* chunks() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  const rows: string[][] = [];
  try {
    for await (const { fields } of csvRows(chunks(), MOST)) if (fields) rows.push([...fields]);
    return { rows, isCsv: true };
  } catch {
    return { rows, isCsv: false };
  }
}

test(`in ${TEXTS} texts, the rows are those that csv-parse sees, up to the same first error`, async () => {
  let rows = 0;
  const texts = fc
    .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 })
    .map((each) => each.join(''));
  const sameRows = fc.asyncProperty(texts, fc.integer({ min: 1, max: 30 }), async (text, chunkSize) => {
    const seen = await importedRows(text, chunkSize);
    expect(seen).toEqual(refereeRows(text));
    rows += seen.rows.length;
  });
  await fc.assert(sameRows, { seed: 17, numRuns: TEXTS });
  expect(rows).toBeGreaterThan(TEXTS);
});
