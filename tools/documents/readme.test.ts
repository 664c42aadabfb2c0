import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DOCUMENTS, read } from './documents.ts';

test.each(DOCUMENTS.filter((file) => file.endsWith('.md')))('what %s links to exists', (document) => {
  const url = new URL(`../../${document}`, import.meta.url);
  // From the README, `../../` leaves the repository: GitHub resolves it to the page of the workflow.
  const links = [
    ...readFileSync(url, 'utf8').matchAll(
      /\]\((?!https?:|mailto:|\.\.\/\.\.\/actions)([^)#]*)(?:#([^)]+))?\)/g,
    ),
  ];
  if (document === 'README.md') expect(links.length).toBeGreaterThan(15);
  for (const [, file = '', section] of links) {
    const target = file === '' ? url : new URL(file, url);
    expect(existsSync(target), file).toBe(true);
    if (section !== undefined) expect(sectionsOf(readFileSync(target, 'utf8')), file).toContain(section);
  }
});

test('no document sends a token to the name localhost, whose ::1 may be a process of another user', () => {
  expect(DOCUMENTS).toEqual(
    expect.arrayContaining(['README.md', 'contract/openapi.yaml', 'client/README.md']),
  );
  expect(DOCUMENTS.filter((file) => read(file).includes('localhost:3000'))).toEqual([]);
});

test('every section of a document to which a tool refers exists', () => {
  const tools = readdirSync(new URL('..', import.meta.url), { recursive: true, encoding: 'utf8' });
  const texts = tools.filter((file) => file.endsWith('.ts')).map((file) => read(`tools/${file}`));
  const named = texts.flatMap((text) => [...text.matchAll(/(docs\/[\w-]+\.md)(?:#([\w-]+))?/g)]);
  expect(named.length).toBeGreaterThan(3);
  for (const [, file = '', section] of named) {
    const sections = sectionsOf(read(file));
    if (section !== undefined) expect(sections, file).toContain(section);
  }
});

/** The anchors that GitHub gives to the headings of a document. */
function sectionsOf(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
