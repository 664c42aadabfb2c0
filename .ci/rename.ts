/** The article before it, also in the anchor of a heading, in a link of a comment, and after the `\n` of a text in the code. */
const ARTICLE = /(?:\b|(?<=\\n))(a)(?=(?:\s+(?:\{@link )?[`"'(]*|-)plant)/gi;
/**
 * What the service stores, in the code, the documents and the names of files, but not in the notice of LICENSE; and the examples, also in
 * the name of a constant: three names of plants, and two tags. In one pass, so that nothing is renamed that was just written.
 */
const WORD = /PLANTS?|[Pp]lants?(?! Store authors)|(?i:\b(?:Star )?(fern|moss|ivy|shade|flower))/g;
const EXAMPLES = ['fern', 'moss', 'ivy', 'shade', 'flower'];

/**
 * Makes a function that renames plants in a text or a path: `plants`, `NewPlant` and `PLANTS_TABLE` keep their case.
 * @param name what a new service stores, and its plural: one word of lower-case letters each
 * @param examples of a name, of another one, of a third one: they begin with a capital letter
 */
export function renamer(name: string, plural: string, examples: readonly string[]): (text: string) => string {
  const values = [...examples, 'Blue', 'Red'];
  // "a user" keeps its article.
  const article = /^[aeio]/.test(name) ? '$1n' : '$1';
  return (text) =>
    text.replaceAll(ARTICLE, article).replaceAll(WORD, (found, example?: string) => {
      const ofExample = example === undefined ? undefined : values[EXAMPLES.indexOf(example.toLowerCase())];
      return likeCase(found, ofExample ?? (/s$/i.test(found) ? plural : name));
    });
}

function likeCase(found: string, word: string): string {
  if (found === found.toUpperCase()) return word.toUpperCase().replaceAll(' ', '_');
  return found === found.toLowerCase() ? word.toLowerCase() : word.slice(0, 1).toUpperCase() + word.slice(1);
}
