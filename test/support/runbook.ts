import { readFileSync } from 'node:fs';

/** docs/runbook-alarms.md as text. */
export const RUNBOOK = readFileSync(new URL('../../docs/runbook-alarms.md', import.meta.url), 'utf8');
/** docs/log.md as text. */
export const LOG = readFileSync(new URL('../../docs/log.md', import.meta.url), 'utf8');

/** The text of a section of docs/runbook-alarms.md, below its title. @throws Error if there is none */
export function runbookSection(title: string, runbook = RUNBOOK): string {
  return sectionOf(runbook, title, 'The runbook');
}

/** The text of a section of docs/log.md, below its title. @throws Error if there is none */
export function logSection(title: string, log = LOG): string {
  return sectionOf(log, title, 'docs/log.md');
}

function sectionOf(document: string, title: string, name: string): string {
  const [, ...sections] = document.split('\n## ');
  const found = sections.find((section) => section.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`${name} has no section ${title}.`);
  return found.slice(title.length);
}

/** The rows of a section's table, below its head, each with its cells. */
export function tableIn(section: string): string[][] {
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((row) => row.slice(2, -2).split(' | '));
}

/** The words of a cell that are code. */
export function codeIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}
