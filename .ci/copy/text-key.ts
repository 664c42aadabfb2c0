import { PlainError } from '../../cli/plain-error.ts';
import { CONTRACT } from '../../commands/generate/contract-value.ts';
import type { Tree } from './manifest.ts';

/** The id of the contract as a number, whatever it is the id of. */
const NUMBER = /(?<= {8}id:\n)( +)description: \|\n(?: {12}.*\n)+? +type: integer\n +format: int64\n.*\n/;

/** What the contract says of the ids, up to the next heading. */
const SECTION = /(?<=^ {6}## The id\n\n)(?:.*\n)*?(?=\n {6}## )/m;
const OF_TEXTS = `      An id is a text of the form that its \`pattern\` allows, and is kept as it is. Anything else is refused with 40002. A JSON
      number, whose value is that of another property, may have at most 128 characters.
`;

/**
 * Makes ids texts. Like an id that is given: what stands before its last digits stays, and the digits are any.
 * @returns undefined if the example does not end with eight digits or more, by which the tests number their ids
 * @throws PlainError if the contract has another id than ours, or does not say what it is
 */
export function withTextKey(tree: Tree, example: string, name: string): Map<string, string> | undefined {
  const [, prefix, digits] = /^([A-Za-z_-][A-Za-z0-9_-]*?)(\d{8,})$/.exec(example) ?? [];
  if (prefix === undefined || digits === undefined || example.length > 64) return undefined;
  const like = (n: number) => prefix + String(n).padStart(digits.length, '0');
  const text = tree.get(CONTRACT) ?? '';
  if (!NUMBER.test(text) || !SECTION.test(text))
    throw new PlainError(`${CONTRACT} has no id that is an int64, or no section "The id".`);
  const changed = text
    .replace(SECTION, () => OF_TEXTS)
    .replace(
      NUMBER,
      (_, indent) => `${indent}description: Identification of the ${name}, supplied by the caller.
${indent}type: string
${indent}pattern: '^${prefix}[0-9]{${digits.length}}$'
${indent}maxLength: ${example.length}
${indent}examples: [${like(7)}, ${like(8)}]
`,
    );
  return new Map(tree).set(CONTRACT, changed);
}
