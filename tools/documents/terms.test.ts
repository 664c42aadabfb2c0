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
const TABLE = 'CONTRIBUTING.md';
const isRow = (file: string, line: string) => file === TABLE && line.startsWith('| **');
const TERMS = [...read(TABLE).matchAll(/^\| \*\*([^|]+)\*\* \| ([^|]+) \|/gm)];

/** A pattern of the wrong spellings of a row, separated by commas, and of their forms, such as a plural. */
function patternOf(spellings: string): RegExp {
  const forms = spellings
    .split(', ')
    .map((each) => each.replace(/ise$/, 'is(?:e|es|ed|ing|ations?)').replace(/(?<!\))$/, '(?:s|ed|ing)?'));
  // What follows a hyphen is part of the anchor of a heading.
  return new RegExp(`\\b(?:${forms.join('|')})\\b(?!-)`, 'i');
}

test.each(TERMS.map(([, term = '', spellings = '']) => [term, spellings]))(
  '%s has one spelling',
  (_, spellings) => {
    const pattern = patternOf(spellings);
    const wrong = FILES.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) && !isRow(file, line) ? [`${file}:${index + 1}`] : [])),
    );
    expect(wrong).toEqual([]);
  },
);
