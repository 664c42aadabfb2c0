import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInRun } from './temporary-root.ts';

const PREFIX = 'skipped-';

/**
 * Whether what some tests need is on this machine; if not, the end of the run says what was skipped, and why.
 * @param tests what is skipped without it
 * @param why what is missing, and how to get it
 * @param required whether to fail instead, as in CI
 */
export function isThere(found: boolean, { tests, why, required = false }: Need): boolean {
  if (found || required) return true;
  // Not printed here: each of vitest's workers would print it, long before the end.
  if (isInRun())
    writeFileSync(path.join(tmpdir(), PREFIX + tests.replace(/\W+/g, '-')), JSON.stringify({ tests, why }));
  return false;
}

interface Need {
  readonly tests: string;
  readonly why: string;
  readonly required?: boolean;
}

/** What the tests of this run skipped, a line each under its reason; call it before the run's folder is removed. */
export function skippedTests(): string[] {
  const files = readdirSync(tmpdir()).filter((file) => file.startsWith(PREFIX));
  const needs = files.sort().map((file): Need => JSON.parse(readFileSync(path.join(tmpdir(), file), 'utf8')));
  return [...Map.groupBy(needs, ({ why }) => why)].flatMap(([why, skipped]) => [
    `Skipped, because ${why}`,
    ...skipped.map(({ tests }) => `  ${tests}`),
  ]);
}
