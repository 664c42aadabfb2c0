import { readFileSync } from 'node:fs';
import { UsageError } from '../cli/command-line.ts';
import { PROPERTIES } from '../contract/examples.ts';

const WORD = /^[a-z]{2,20}$/;

/** What to do about a name that is refused. */
export const CHOOSE = 'choose a more exact one, such as salesorder in place of order';

/** It has a program in Python, which the compiler of the copy does not see. */
const CLIENTS = 'docs/clients.md';
/** Words that a variable in Python cannot be, whether the program uses them or not. */
const KEYWORDS =
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield';

/**
 * Checks the names of a copy, and completes them.
 * @throws UsageError if one is missing, is no word, or would make a copy that compiles, but fails its tests
 */
export function namesOf(name: string | undefined, plural = `${name}s`): { name: string; plural: string } {
  if (name === undefined)
    throw new UsageError('--name is missing: what you store, in one word, such as --name order.');
  for (const [option, word] of Object.entries({ name, plural })) {
    const joined = word.replaceAll(/[-_ ]/g, '').toLowerCase();
    const instead = WORD.test(joined) ? `: use ${joined}` : '';
    if (!WORD.test(word))
      throw new UsageError(`--${option} ${word} is not one word of 2 to 20 lower-case letters${instead}.`);
    const use = useOf(word);
    if (use) throw new UsageError(`${use}; ${CHOOSE}.`);
  }
  if (name === plural)
    throw new UsageError(
      `The plural ${plural} is the name, too: choose another with --plural, such as --plural ${name}list.`,
    );
  return { name, plural };
}

/** @returns for what a word is used already */
function useOf(word: string): string | undefined {
  const title = word.slice(0, 1).toUpperCase() + word.slice(1);
  if (title in globalThis) return `${title} is a global of JavaScript`;
  if (Object.hasOwn(PROPERTIES, word)) return `${word} is a property of NewPlant in contract/openapi.yaml`;
  if (KEYWORDS.split(' ').includes(word) || namesInPython().includes(word))
    return `The program of ${CLIENTS} uses the name ${word} in another sense`;
  return undefined;
}

/** The words of the program but for its comments and texts. */
function namesInPython(): string[] {
  const text = readFileSync(new URL(`../${CLIENTS}`, import.meta.url), 'utf8');
  const programs = text.match(/(?<=```python\n)[\s\S]*?(?=\n *```)/g) ?? [];
  const code = programs.join('\n').replaceAll(/"""[\s\S]*?"""|#.*|'[^'\n]*'|"[^"\n]*"/g, '');
  return code.match(/\w+/g) ?? [];
}
