import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ERRORS, type PublishedError } from '../lambda/errors.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const SCRIPTS: Record<string, string> = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).scripts;

describe('the README agrees with the code', () => {
  test('the table of docs/errors.md has each published error, and no other', () => {
    const rows = read('../docs/errors.md')
      .split('\n')
      .filter((line) => /^\| \d{5} \|/.test(line));
    const published = Object.values<PublishedError>(ERRORS).map(
      ({ error, when, retryAfter }) =>
        `| ${error} | ${when} | ${retryAfter ? `yes, after ${retryAfter} s` : 'no'} |`,
    );
    expect(rows).toEqual(published);
  });

  test('every script that it names exists', () => {
    const code = (README.match(/```[\s\S]*?```|`[^`\n]+`/g) ?? []).join('\n');
    const named = [...code.matchAll(/npm (?:run )?(?:-s )?([a-z:]+)/g)].map(([, name = '']) => name);
    expect(named).toEqual(expect.arrayContaining(['start', 'test', 'token', 'verify']));
    expect(named.filter((name) => name !== 'ci' && !(name in SCRIPTS))).toEqual([]);
  });
});

test.each(documents().filter((file) => file.endsWith('.md')))('what %s links to exists', (document) => {
  const url = new URL(`../${document}`, import.meta.url);
  // From the README, `../../` leaves the repository: GitHub resolves it to the page of the workflow.
  const links = [
    ...readFileSync(url, 'utf8').matchAll(
      /\]\((?!https?:|mailto:|\.\.\/\.\.\/actions)([^)#]*)(?:#([^)]+))?\)/g,
    ),
  ];
  if (document === './README.md') expect(links.length).toBeGreaterThan(15);
  for (const [, file = '', section] of links) {
    const target = file === '' ? url : new URL(file, url);
    expect(existsSync(target), file).toBe(true);
    if (section !== undefined) expect(sectionsOf(readFileSync(target, 'utf8')), file).toContain(section);
  }
});

test('no document sends a token to the name localhost, whose ::1 may be a process of another user', () => {
  const files = documents();
  expect(files).toEqual(expect.arrayContaining(['./README.md', 'contract/openapi.yaml', 'client/README.md']));
  expect(files.filter((file) => read(`../${file}`).includes('localhost:3000'))).toEqual([]);
});

test('every section of a document to which a tool refers exists', () => {
  const tools = readdirSync(new URL('../tools', import.meta.url), { recursive: true, encoding: 'utf8' });
  const texts = tools.filter((file) => file.endsWith('.ts')).map((file) => read(`../tools/${file}`));
  const named = texts.flatMap((text) => [...text.matchAll(/(docs\/[\w-]+\.md)(?:#([\w-]+))?/g)]);
  expect(named.length).toBeGreaterThan(3);
  for (const [, file = '', section] of named) {
    const sections = sectionsOf(read(`../${file}`));
    if (section !== undefined) expect(sections, file).toContain(section);
  }
});

/** The documents, relative to the root. */
function documents(): string[] {
  const folders = ['.', 'client', 'contract', 'docs', 'docs/decisions', 'lab', 'lab/bench'];
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(`../${folder}`, import.meta.url)).map((name) => `${folder}/${name}`),
  );
  return files.filter((file) => /\.(md|ya?ml)$/.test(file));
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

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
