import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeDocuments } from './make-documents.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test.each(makeDocuments(read))('$file has what the code says: npm run tables writes it', (made) => {
  expect(read(made.file), 'to mend it: npm run tables').toBe(made.text);
  expect(made.emptyRows, `write the empty cell of these rows of ${made.file}`).toEqual([]);
});

test('a new error gets a row in both tables, whose empty cell is named until somebody writes it', () => {
  const before = (file: string) => read(file).replaceAll(/^ *\| 42901 \|.*\n/gm, '');
  const [contract, guide] = makeDocuments(before);
  expect(contract).toMatchObject({ file: 'contract/openapi.yaml', emptyRows: ['42901'] });
  expect(contract?.text).toContain('\n      | 42901 |  | yes, after 1 s |\n');
  expect(guide).toMatchObject({ file: 'docs/errors.md', emptyRows: ['42901'] });
  expect(guide?.text).toContain('\n| 42901 |  | yes, after 1 s |  |\n');
  const after = (file: string) =>
    ({ [contract?.file ?? '']: contract?.text, [guide?.file ?? '']: guide?.text })[file] ?? read(file);
  expect(makeDocuments(after).map(({ emptyRows }) => emptyRows)).toEqual([['42901'], ['42901'], [], []]);
});
