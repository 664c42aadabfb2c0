import { withChecksum } from '../contract/placeholders.ts';

/** What the service stores, in the code, the documents and the names of files. */
const PLANT = /PLANTS?|[Pp]lants?/g;
/** The article before it, also in the anchor of a heading. */
const ARTICLE = /\b(a)(?=(?:\s+[`"'(]*|-)plant)/gi;
/** An access token that is written out. Its checksum is over the prefix too. */
const TOKEN = /plants_[0-9A-Za-z]{49}/g;
/** The examples, also in the name of a constant: three names of plants, and two tags. */
const EXAMPLE = /\b(?:Maidenhair |Star )?(fern|moss|ivy|shade|flower)(?=\b|_)/gi;
const WORDS = ['fern', 'moss', 'ivy', 'shade', 'flower'];

/**
 * Makes a function that renames plants in a text or a path: `plants`, `NewPlant` and `PLANTS_TABLE` keep their case.
 * @param name what a new service stores, and its plural: one word of lower-case letters each
 * @param examples of a name, of another one, of a third one: they begin with a capital letter, and have others
 */
export function renamer(name: string, plural: string, examples: readonly string[]): (text: string) => string {
  const word = (found: string) => likeCase(found, /s$/i.test(found) ? plural : name);
  // "a user" keeps its article.
  const articles = (text: string) => (/^[aeio]/.test(name) ? text.replaceAll(ARTICLE, '$1n') : text);
  const rename = (text: string) => articles(text).replaceAll(PLANT, word);
  const example = (found: string, each: string) => {
    const n = WORDS.indexOf(each.toLowerCase());
    if (each === each.toUpperCase()) return `${name.toUpperCase()}_${n + 1}`;
    const value = [...examples, 'blue', 'red'][n] ?? '';
    return found === found.toLowerCase() ? value.toLowerCase() : value;
  };
  return (text) =>
    rename(
      text.replaceAll(TOKEN, (token) =>
        withChecksum(token.slice(0, -6)) === token ? withChecksum(rename(token.slice(0, -6))) : token,
      ),
    ).replaceAll(EXAMPLE, example);
}

function likeCase(found: string, word: string): string {
  if (found === found.toUpperCase()) return word.toUpperCase();
  return found.startsWith('P') ? word.slice(0, 1).toUpperCase() + word.slice(1) : word;
}
