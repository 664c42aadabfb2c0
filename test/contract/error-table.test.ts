import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ERRORS, type PublishedError } from '../../lambda/errors.ts';

// `npm run tables` is these tests with --update, which writes the files that they expect.

const SOURCE = read('lambda/errors.ts');

const PUBLISHED = Object.entries<PublishedError>(ERRORS).map(([name, published]) => {
  const [, when] = new RegExp(`/\\*\\* (.+) \\*/\\n +${name}: `).exec(SOURCE) ?? [];
  if (when === undefined) throw new Error(`lambda/errors.ts has no comment of one line above ${name}.`);
  return { ...published, when };
});

const ROWS = PUBLISHED.map(({ error, when, retryAfter }) => {
  const again = retryAfter ? `yes, after ${retryAfter} s` : 'no';
  return `| ${error} | ${when} | ${again} |\n`;
}).join('');

/** The same rows, each with the last cell of the document: what to do. */
const CELLS = read('docs/errors.md')
  .split('\n')
  .map((line) => line.split(' | '));
const ADVICE = ROWS.replaceAll(
  /^\| .*/gm,
  (row) => `${row} ${CELLS.find(([number]) => row.startsWith(`${number} |`))?.[3]}`,
);

// The most common error first, as the API page shows it. A key that is a number would be sorted by JavaScript.
const EXAMPLES = PUBLISHED.toSorted((a, b) => Number(b.error === 40002) - Number(a.error === 40002))
  .map(({ error, when, message }) => ({
    [`error${error}`]: { summary: `${error}: ${when}`, value: { error, message } },
  }))
  .map((example) => stringify(example, { lineWidth: 0, singleQuote: true }))
  .join('');

const TABLE = /^( *)\| \d{5} \|.*\n(?:\1\|.*\n)*/m;
const EXAMPLES_OF_400 = /^( *)error\d{5}:\n(?:\1.*\n)*/m;

test.each<[file: string, ...parts: [place: RegExp, lines: string][]]>([
  ['contract/openapi.yaml', [TABLE, ROWS], [EXAMPLES_OF_400, EXAMPLES]],
  ['docs/errors.md', [TABLE, ADVICE]],
])('%s has the errors of lambda/errors.ts: npm run tables writes them', async (file, ...parts) => {
  let expected = read(file);
  for (const [place, lines] of parts) {
    expect(expected).toMatch(place);
    expected = expected.replace(place, (_, indent: string) => lines.replaceAll(/^(?=.)/gm, indent));
  }
  await expect(expected).toMatchFileSnapshot(`../../${file}`);
});

function read(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}
