import { readFileSync } from 'node:fs';
import { UsageError } from '../cli/command-line.ts';
import { PROPERTIES } from '../contract/examples.ts';

const WORD = /^[a-z]{2,20}$/;

/** What to do about a name that is refused. */
export const CHOOSE = 'choose a more exact one, such as salesorder in place of order';

/** It has programs in other languages, which the compiler of the copy does not see. */
const CLIENTS = 'docs/clients.md';
/** Their languages, and words that a variable in them cannot be, whether they use them or not. */
const KEYWORDS = {
  python:
    'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield',
  go: 'break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var',
  java: 'abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for goto if implements import instanceof int interface long native new null package private protected public return short static strictfp super switch synchronized this throw throws transient true try void volatile while',
};

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
  const language = Object.entries(KEYWORDS).find(
    ([each, words]) => words.split(' ').includes(word) || namesIn(each).includes(word),
  );
  return language && `A program of ${CLIENTS} uses the name ${word} in another sense, in ${language[0]}`;
}

/** The words of the programs in a language but for their comments and texts. */
function namesIn(language: string): string[] {
  const text = readFileSync(new URL(`../${CLIENTS}`, import.meta.url), 'utf8');
  const programs = text.match(RegExp(`(?<=\`\`\`${language}\\n)[\\s\\S]*?(?=\\n *\`\`\`)`, 'g')) ?? [];
  const code = programs
    .join('\n')
    .replaceAll(/"""[\s\S]*?"""|\/\*[\s\S]*?\*\/|(?:#|\/\/).*|'[^'\n]*'|"[^"\n]*"|`[^`\n]*`/g, '');
  return code.match(/\w+/g) ?? [];
}
