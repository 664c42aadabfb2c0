import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, read } from './documents.ts';

// docs/specification.md is what the user asked for, in their spelling.
const SELF = path.join('test', 'documents', 'terms.test.ts');
const FILES = ['*.md', '.github/**/*.yml', '*/**/*.{ts,md,yaml}'].flatMap((pattern) =>
  globSync(pattern, {
    cwd: ROOT,
    exclude: (name) => /^(node_modules|cdk\.out|coverage|dist)$/.test(path.basename(name)),
  }).filter((file) => ![path.join('docs', 'specification.md'), SELF].includes(file)),
);
/** Each term, and the spellings that it replaces. */
const TERMS = {
  response: 'answer',
  retry: 'request again',
  page: 'wake, waking',
  'US spelling':
    'colour, behaviour, neighbour, licence, synthesise, normalise, authorise, optimise, customise, serialise, organise, recognise',
  'rollback, timeout, lookup, setup, startup': 'roll-back, time-out, look-up, set-up, start-up',
  'email, hostname, whitespace': 'e-mail, host name, white space',
  // It would ask for confirmation, and so fail without a terminal.
  'npm run deploy': 'npx cdk deploy',
};

/** A pattern of the wrong spellings of a row, separated by commas, and of their forms, such as a plural. */
function patternOf(spellings: string): RegExp {
  const forms = spellings
    .split(', ')
    .map((each) => each.replace(/ise$/, 'is(?:e|es|ed|ing|ations?)').replace(/(?<!\))$/, '(?:s|ed|ing)?'));
  // What follows a hyphen is part of the anchor of a heading.
  return new RegExp(`\\b(?:${forms.join('|')})\\b(?!-)`, 'i');
}

test.each(Object.entries(TERMS))('%s has one spelling', (_, spellings) => {
  const pattern = patternOf(spellings);
  const wrong = FILES.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  );
  expect(wrong).toEqual([]);
});
