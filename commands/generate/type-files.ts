import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Document } from './document.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const SOURCES = 'commands/generate/property-types';
const WRITTEN = 'lambda/property-types';
const HEAD = '// `npm run generate` writes this file from ';

/**
 * Makes the files of the types that the properties use and the function does not have anyway, and of those that such a type imports.
 * @param properties the text of lambda/properties.ts
 */
export function typeFiles(properties: string, read: (file: string) => string): Document[] {
  const sources = readdirSync(path.join(ROOT, SOURCES));
  const imported = namesIn(properties, /\/property-types\/(.+\.ts)';$/gm);
  const used = new Set(imported.filter((name) => sources.includes(name)));
  for (const name of used)
    for (const each of namesIn(read(`${SOURCES}/${name}`), /'\.\/(.+\.ts)';$/gm)) used.add(each);
  return [...used].sort().map((name) => {
    const source = `${SOURCES}/${name}`;
    const text = `${HEAD}${source}.\n${inLambda(read(source))}`;
    return { file: `${WRITTEN}/${name}`, text };
  });
}

/** The files of types that were written and that are no longer used. @param documents all that are made */
export function leftoverTypes(documents: readonly Document[], read: (file: string) => string): string[] {
  const files = readdirSync(path.join(ROOT, WRITTEN)).map((name) => `${WRITTEN}/${name}`);
  return files.filter((each) => !documents.some(({ file }) => file === each) && read(each).startsWith(HEAD));
}

function namesIn(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].map(([, name = '']) => name);
}

/** A source with its imports as they are in lambda/property-types/, sorted by their path as Biome wants them. */
function inLambda(source: string): string {
  const moved = source.replaceAll(/(?<=^import .*)'\.\.\/\.\.\/\.\.\/lambda\/.*'/gm, (specifier) =>
    specifier.replace('../../../lambda/property-types/', './').replace('../../../lambda/', '../'),
  );
  const pathOf = (line: string) => line.slice(line.indexOf("'"));
  return moved.replace(/^(import .*\n)+/, (lines) => {
    const imports = lines.trimEnd().split('\n');
    return `${imports.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1)).join('\n')}\n`;
  });
}
