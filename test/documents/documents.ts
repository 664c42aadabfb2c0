import { globSync } from 'node:fs';
import { ROOT, read } from '../support/project.ts';

const NO_DOCUMENTS = [
  '**/node_modules',
  'cdk.out',
  // What a copy can have is tested there.
  'operations/*/files',
];

/** The documents for people, relative to the root; the sources of `infra/` have texts for operators. */
export const DOCUMENTS = globSync(['**/*.md', 'contract/*.yaml', 'infra/*.ts'], {
  cwd: ROOT,
  exclude: NO_DOCUMENTS,
}).sort();

/** The lines of a document's code: those of its blocks, and each span as one line. */
export function codeOf(file: string): string[] {
  const text = read(file).replaceAll(/^(?: {0,3}> ?)+/gm, '');
  const blocks: string[] = [];
  const prose = text.replaceAll(/^ *```.*\n([\s\S]*?)^ *```$/gm, (_, block: string) => {
    blocks.push(...block.replaceAll(/\\\n/g, ' ').split('\n'));
    return '';
  });
  // In a source, a span that goes on in the next line would be a text of the program.
  const span = file.endsWith('.ts') ? /`([^`\n]+)`/g : /`([^`]+)`/g;
  const spans = [...prose.matchAll(span)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '));
  return [...blocks, ...spans].map((line) => line.trim());
}

/**
 * The blocks of a language in a document, without the indentation of their fences: what a reader copies.
 * @param language or more of what follows a fence: the words after the language say what a trial does with the block
 */
export function blocksOf(file: string, language: string): string[] {
  const fences = read(file).matchAll(
    new RegExp(`^( *)\`\`\`${language}\\b.*\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'),
  );
  return [...fences].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}
