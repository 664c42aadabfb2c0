import { readFileSync } from 'node:fs';
import { PlainError } from '../../cli/plain-error.ts';
import { hunksOf, withHunk } from './difference.ts';
import { CONTRACT, type Tree } from './manifest.ts';

/** The id of the contract as a number, whatever it is the id of. */
const NUMBER = /(?<= {8}id:\n)( +)description: \|\n(?: {12}.*\n)+? +type: integer\n +format: int64\n.*\n/;

const PATCH = '.ci/copy/text-key.patch';
/** What the contract and the first pages say of an id that is a number, and then of a text. */
const WORDS = hunksOf(readFileSync(new URL('text-key.patch', import.meta.url), 'utf8'));

/**
 * Makes ids texts. Like an id that is given: what stands before its last digits stays, and the digits are any.
 * @returns undefined if the example does not end with eight digits or more, by which the tests number their ids
 * @throws PlainError if the contract has another id than ours, or a page other words
 */
export function withTextKey(tree: Tree, example: string, name: string): Map<string, string> | undefined {
  const [, prefix, digits] = /^([A-Za-z_-][A-Za-z0-9_-]*?)(\d{8,})$/.exec(example) ?? [];
  if (prefix === undefined || digits === undefined || example.length > 64) return undefined;
  const like = (n: number) => prefix + String(n).padStart(digits.length, '0');
  const text = tree.get(CONTRACT) ?? '';
  if (!NUMBER.test(text)) throw new PlainError(`${CONTRACT} has no id that is an int64.`);
  const changed = text.replace(
    NUMBER,
    (_, indent) => `${indent}description: Identification of the ${name}, supplied by the caller.
${indent}type: string
${indent}pattern: '^${prefix}[0-9]{${digits.length}}$'
${indent}maxLength: ${example.length}
${indent}examples: [${like(7)}, ${like(8)}]
`,
  );
  const made = new Map(tree).set(CONTRACT, changed);
  for (const hunk of WORDS) {
    const said = withHunk(made.get(hunk.file) ?? '', hunk);
    if (said === undefined) throw new PlainError(`${PATCH}, line ${hunk.line}, does not fit ${hunk.file}.`);
    made.set(hunk.file, said);
  }
  return made;
}
