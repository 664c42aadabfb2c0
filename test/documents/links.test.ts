import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { read } from '../support/project.ts';
import { DOCUMENTS } from './documents.ts';

/** @throws an assertion's error if a file, or the section of a document, does not exist */
function expectThere(target: URL, section: string | undefined) {
  expect(existsSync(target), target.pathname).toBe(true);
  if (section !== undefined)
    expect(sectionsOf(readFileSync(target, 'utf8')), target.pathname).toContain(section);
}

/** The anchors that GitHub gives to the headings of a document. */
function sectionsOf(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replace(/[^\w\- ]/g, '').replaceAll(' ', '-'));
}

const ROOT = new URL('../..', import.meta.url);

test.each(DOCUMENTS.filter((file) => file.endsWith('.md')))('what %s links to exists', (document) => {
  const url = new URL(document, ROOT);
  // From the README, `../../` leaves the repository: GitHub resolves it to the page of the workflow.
  const pattern = /\]\((?!https?:|mailto:|\.\.\/\.\.\/actions)([^)#]*)(?:#([^)]+))?\)/g;
  const links = [...read(document).matchAll(pattern)];
  for (const [, file = '', section] of links) expectThere(file === '' ? url : new URL(file, url), section);
});

test('every section of a document to which a tool refers exists', () => {
  const tools = globSync('{checks,commands,contract,operate}/**/!(*.test).ts', { cwd: ROOT })
    .map(read)
    .join('\n');
  const named = [...tools.matchAll(/(docs\/[\w-]+\.md)(?:#([\w-]+))?/g)];
  for (const [, file = '', section] of named) expectThere(new URL(file, ROOT), section);
});
