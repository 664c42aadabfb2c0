import { parseErrors, statusOf } from '../../contract/errors.ts';
import { ROUTES_IN_WORDS } from '../../lambda/routes.ts';
import { CONTRACT, examplesOf, withValue } from './contract-value.ts';
import { type Document, sourceFile, tableIn } from './document.ts';

const ERRORS = 'contract/errors.yaml';
const GUIDE = 'docs/errors.md';

/**
 * Makes what lists the errors: openapi.yaml, the guide, and the sources of the function and of the client.
 * @param read reads a file by its path from the root
 * @param contract the text of openapi.yaml
 */
export function errorDocuments(read: (file: string) => string, contract: string): [Document, ...Document[]] {
  const errors = parseErrors(read(ERRORS)).map(({ message, retryAfter, ...rest }) => ({
    ...rest,
    message: message.replace('⟨routes⟩', ROUTES_IN_WORDS),
    retryAfter,
    row: [`${rest.error}`, rest.when, retryAfter ? `yes, after ${retryAfter} s` : 'no'],
  }));
  // The most common error stands first, where a reader looks. Keys that are numbers would be sorted.
  const byUse = errors.toSorted((a, b) => Number(b.error === 40002) - Number(a.error === 40002));
  const examples = byUse.map(({ error, message, when }) => [
    `error${error}`,
    { summary: `${error}: ${when}`, value: { error, message } },
  ]);
  const inContract = tableIn(CONTRACT, contract, 'errors').withRows(errors.map(({ row }) => row));
  const inGuide = tableIn(GUIDE, read(GUIDE), 'errors');
  const head = `// \`npm run generate\` writes this file from ${ERRORS}.\n\n`;
  const inFunction = errors.map(
    ({ name, error, message, retryAfter, challenge }) =>
      `${name}: ${JSON.stringify({ error, message, retryAfter, challenge })}`,
  );
  const meanings = errors.map(
    (each) => ` * - \`${each.error}\` ${each.when}. ${each.retryAfter ? 'Retried' : each.do}.\n`,
  );
  const pauses = errors.flatMap((each) => (each.retryAfter ? [[statusOf(each), each.retryAfter]] : []));
  return [
    { file: CONTRACT, text: withValue(inContract, examplesOf('400'), Object.fromEntries(examples)) },
    { file: GUIDE, text: inGuide.withRows(errors.map(({ row, do: advice }) => [...row, advice])) },
    sourceFile(
      'lambda/published-errors.ts',
      `${head}/** Every error that a client can receive, from the function, from the gateway in front of it or from the local stand-in. */
export const ERRORS = {${inFunction}} as const;
`,
    ),
    sourceFile(
      'client/src/published-errors.ts',
      `${head}/**
 * An error number of this version of the contract; a later version of the service may add some.
${meanings.join('')} */
export type PublishedErrorNumber = ${errors.map(({ error }) => error).join(' | ')};

/** Seconds to wait before a retry, by the HTTP status of an error: so the table has numbers of later versions, too. */
export const RETRY_AFTER: Readonly<Record<number, number>> = ${JSON.stringify(Object.fromEntries(pauses))};
`,
    ),
  ];
}
