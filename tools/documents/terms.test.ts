import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, read } from './documents.ts';

// docs/specification.md is what the user asked for, in their spelling.
const FILES = ['*.md', '.github/**/*.yml', '*/**/*.{ts,md,yaml}'].flatMap((pattern) =>
  globSync(pattern, {
    cwd: ROOT,
    exclude: (name) => /^(node_modules|cdk\.out|coverage|dist)$/.test(path.basename(name)),
  }).filter((file) => file !== path.join('docs', 'specification.md')),
);
const TERMS = [...read('CONTRIBUTING.md').matchAll(/^\| \*\*([\w ]+)\*\* \| ([\w -]+) \|/gm)];

test('the table of terms is found', () => expect(TERMS.length).toBeGreaterThan(5));

test.each(TERMS.map(([, term = '', other = '']) => [term, other]))('%s has one spelling', (_, other) => {
  // What follows a hyphen is part of the anchor of a heading.
  const spelling = new RegExp(`\\b${other}s?\\b(?!-)`, 'i');
  const isRow = (line: string) => line.startsWith('| **');
  const wrong = FILES.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (spelling.test(line) && !isRow(line) ? [`${file}:${index + 1}`] : [])),
  );
  expect(wrong).toEqual([]);
});
