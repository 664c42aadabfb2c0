import { ERRORS, type PublishedError } from '../../lambda/errors.ts';
import { examplesOf, withValue } from './contract-value.ts';
import { type Document, tableIn } from './document.ts';
import { CONTRACT } from './model.ts';

/** Says what to do about each error. */
export const GUIDE = 'docs/errors.md';

/**
 * Makes the two documents that list the errors. Number, message and pause are those of the code. When an error occurs is written
 * by hand in the table of openapi.yaml, and what to do about it in that of docs/errors.md.
 */
export function errorDocuments(contract: string, guide: string): [Document, Document] {
  const inContract = tableIn(CONTRACT, contract, 'errors');
  const inGuide = tableIn(GUIDE, guide, 'errors');
  const errors = Object.values<PublishedError>(ERRORS).map(({ error, message, retryAfter }) => {
    const [, when = ''] = inContract.cellsOf(`${error}`);
    const [, , , advice = ''] = inGuide.cellsOf(`${error}`);
    const again = retryAfter ? `yes, after ${retryAfter} s` : 'no';
    return { error, message, when, advice, row: [`${error}`, when, again] };
  });
  // The most common error stands first, where a reader looks. Keys that are numbers would be sorted.
  const byUse = errors.toSorted((a, b) => Number(b.error === 40002) - Number(a.error === 40002));
  const examples = byUse.map(({ error, message, when }) => [
    `error${error}`,
    { summary: `${error}: ${when}`, value: { error, message } },
  ]);
  const numbers = (those: typeof errors) => those.map(({ error }) => `${error}`);
  return [
    {
      file: CONTRACT,
      text: withValue(
        inContract.withRows(errors.map(({ row }) => row)),
        examplesOf('400'),
        Object.fromEntries(examples),
      ),
      emptyRows: numbers(errors.filter(({ when }) => when === '')),
    },
    {
      file: GUIDE,
      text: inGuide.withRows(errors.map(({ row, advice }) => [...row, advice])),
      emptyRows: numbers(errors.filter(({ advice }) => advice === '')),
    },
  ];
}
