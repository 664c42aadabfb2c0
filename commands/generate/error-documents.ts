import { stringify } from 'yaml';
import { ERRORS, type PublishedError } from '../../lambda/errors.ts';
import { type Document, type Part, withPart } from './document.ts';
import { CONTRACT } from './model.ts';

const GUIDE = 'docs/errors.md';

const ROWS: Part = { name: 'the table of errors', pattern: /^( *)\| \d{5} \|.*\n(?:\1\|.*\n)*/m };
const EXAMPLES: Part = {
  name: 'the examples of the response 400',
  pattern: /^( *)error\d{5}:\n(?:\1.*\n)*/m,
};

/**
 * Makes the two documents that list the errors. Number, message and pause are those of the code. When an error occurs is written
 * by hand in the table of openapi.yaml, and what to do about it in that of docs/errors.md.
 */
export function errorDocuments(read: (file: string) => string): [Document, Document] {
  const [contract, guide] = [read(CONTRACT), read(GUIDE)];
  const [inContract, inGuide] = [cellsIn(contract), cellsIn(guide)];
  const errors = Object.values<PublishedError>(ERRORS).map(({ error, message, retryAfter }) => ({
    error: String(error),
    message,
    when: inContract.get(`${error}`)?.[0] ?? '',
    again: retryAfter ? `yes, after ${retryAfter} s` : 'no',
    advice: inGuide.get(`${error}`)?.[2] ?? '',
  }));
  const withRows = withPart(
    CONTRACT,
    contract,
    ROWS,
    rows(errors.map(({ error, when, again }) => [error, when, again])),
  );
  return [
    {
      file: CONTRACT,
      text: withPart(CONTRACT, withRows, EXAMPLES, examples(errors)),
      emptyRows: errors.filter(({ when }) => when === '').map(({ error }) => error),
    },
    {
      file: GUIDE,
      text: withPart(
        GUIDE,
        guide,
        ROWS,
        rows(errors.map((each) => [each.error, each.when, each.again, each.advice])),
      ),
      emptyRows: errors.filter(({ advice }) => advice === '').map(({ error }) => error),
    },
  ];
}

/** The cells of the rows of errors by their number, which they lack. */
function cellsIn(document: string): Map<string, string[]> {
  const found = document.matchAll(/^ *\| (\d{5}) \| (.*) \|$/gm);
  return new Map([...found].map(([, error = '', cells = '']) => [error, cells.split(' | ')]));
}

function rows(table: readonly string[][]): string {
  return table.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** The most common error stands first, for the API page. */
function examples(errors: readonly { error: string; when: string; message: string }[]): string {
  const byUse = errors.toSorted((a, b) => Number(b.error === '40002') - Number(a.error === '40002'));
  // Keys that are numbers would be sorted.
  const entries = byUse.map(({ error, when, message }) => [
    `error${error}`,
    { summary: `${error}: ${when}`, value: { error: Number(error), message } },
  ]);
  return stringify(Object.fromEntries(entries), { lineWidth: 0, singleQuote: true });
}
