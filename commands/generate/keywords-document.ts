import { type Document, tableIn } from './document.ts';
import { REFUSED_KEYWORDS } from './keyword-mends.ts';
import { READ_AS } from './normal-schema.ts';
import { KINDS, type Kind, keywordsOf } from './property-kind.ts';

const FILE = 'CONTRIBUTING.md';

/** Makes the table of what a schema may have, and what to write. */
export function keywordsDocument(read: (file: string) => string): Document {
  const code = (keywords: readonly string[]) => keywords.map((each) => `\`${each}\``).join(', ');
  const kinds = (Object.keys(KINDS) as Kind[]).map((kind) => {
    const { has, write, inClient, inCsv } = KINDS[kind];
    const { may, needs } = keywordsOf(kind);
    const others = (keywords: readonly string[]) => code(keywords.filter((each) => !write.includes(each)));
    const needed = others(Object.keys(needs)).replace(/^(?=.)/, ', with ');
    const optional = others(may).replace(/^(?=.)/, '; it may have ');
    return [has, `${write}${needed}${optional}`, inClient, inCsv];
  });
  const others = [...READ_AS, ...REFUSED_KEYWORDS].map(([has = '', write = '']) => [has, write, '', '']);
  return { file: FILE, text: tableIn(FILE, read(FILE), 'keywords').withRows([...kinds, ...others]) };
}
