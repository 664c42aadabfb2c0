import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ERRORS, type PublishedError } from '../lambda/errors.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const SCRIPTS: Record<string, string> = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).scripts;

describe('the README agrees with the code', () => {
  test('its table of errors has each published error, and no other', () => {
    const rows = README.split('\n').filter((line) => /^\| \d{5} \|/.test(line));
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

  test('every file, and every section of a file, that it links to exists', () => {
    // `../../` leaves the repository: GitHub resolves it to the page of the workflow.
    const links = [...README.matchAll(/\]\((?!https?:|\.\.\/)([^)#]+)(?:#([^)]+))?/g)];
    expect(links.length).toBeGreaterThan(15);
    for (const [, file = '', section] of links) {
      const url = new URL(`../${file}`, import.meta.url);
      expect(existsSync(url), file).toBe(true);
      if (section !== undefined) expect(sectionsOf(readFileSync(url, 'utf8')), file).toContain(section);
    }
  });
});

test('no document sends a token to the name localhost, whose ::1 may be a process of another user', () => {
  const folders = ['.', 'client', 'contract', 'docs', 'docs/decisions'];
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(`../${folder}`, import.meta.url)).map((name) => `${folder}/${name}`),
  );
  const documents = files.filter((file) => /\.(md|ya?ml)$/.test(file));
  expect(documents).toEqual(
    expect.arrayContaining(['./README.md', 'contract/openapi.yaml', 'client/README.md']),
  );
  expect(documents.filter((file) => read(`../${file}`).includes('localhost:3000'))).toEqual([]);
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
