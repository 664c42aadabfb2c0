import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onFile } from '../../terminal/file-error.ts';
import { NAMES } from './surface.ts';

/** The report: the surface as of the last commit. Git shows a reviewer each change of it. */
const REPORT = fileURLToPath(new URL('../../contract/surface.txt', import.meta.url));

const PARTS = ['contract', 'client', 'service'] as const;

/** How a surface differs from the report. */
export interface Differences {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Those that may break somebody although the major version of their part has not gone up. */
  readonly refused: readonly string[];
}

/**
 * Compares the surface with the report, and writes the report if `write` is set and nothing is refused.
 * @returns what to print, and whether the report is as the surface now
 * @throws PlainError if the file cannot be read or written
 */
export function review(surface: readonly string[], write: boolean, file = REPORT) {
  const { removed, added, refused } = compare(readReport(file), surface);
  const marked = (sign: string) => (line: string) =>
    `${sign} ${line}${refused.includes(line) ? '   (breaking)' : ''}`;
  const lines = [...removed.map(marked('-')), ...added.map(marked('+'))];
  if (lines.length === 0) return { lines: ['contract/surface.txt is up to date.'], isUpToDate: true };
  if (refused.length > 0)
    return {
      lines: [...lines, 'Refused: see "What a release promises" in CONTRIBUTING.md.'],
      isUpToDate: false,
    };
  if (write) writeReport(surface, file);
  const next = write
    ? 'contract/surface.txt is written. Commit it, so that the change is reviewed.'
    : 'Run npm run contract -- --write and commit contract/surface.txt, so that the change is reviewed.';
  return { lines: [...lines, next], isUpToDate: write };
}

/** The lines of the report; empty if there is none. @throws PlainError if the file cannot be read */
function readReport(file = REPORT): string[] {
  if (!existsSync(file)) return [];
  return onFile(file, 'read', () => readFileSync(file, 'utf8'))
    .trimEnd()
    .split('\n');
}

/** Writes the report. @throws PlainError if the file cannot be written */
function writeReport(surface: readonly string[], file = REPORT): void {
  onFile(file, 'written', () => writeFileSync(file, `${surface.join('\n')}\n`));
}

/**
 * Compares the surface with the report. A line that is gone, or changed, may break somebody, and so may a new keyword in what
 * is there already, such as a limit. A new name or a new element of a list is for the reviewer to judge.
 */
export function compare(report: readonly string[], surface: readonly string[]): Differences {
  const removed = report.filter((line) => !surface.includes(line));
  const added = surface.filter((line) => !report.includes(line));
  const places = new Set(report.flatMap(placesAbove));
  const breaking = [...removed, ...added.filter((line) => report.length > 0 && isNewRule(line, places))];
  const refused = breaking.filter((line) => !hasNewMajor(line, report, surface));
  return { removed, added, refused };
}

/** The places of a line, from the top: of `a > b: 1`, `a` and `a > b`. */
function placesAbove(line: string): string[] {
  const names = (line.split(': ')[0] ?? '').split(' > ');
  return names.map((_, index) => names.slice(0, index + 1).join(' > '));
}

/** Whether a line of a document is new because of a keyword, or an element of `required`, not because of a name of our own. */
function isNewRule(line: string, places: ReadonlySet<string>): boolean {
  if (!/^(contract > (openapi|servers|paths|security|components)|service > settings) ?/.test(line))
    return false;
  const place = placesAbove(line).find((each) => !places.has(each));
  if (place === undefined) return / > required: /.test(line);
  return !NAMES.has(place.split(' > ').at(-2) ?? '');
}

function hasNewMajor(line: string, report: readonly string[], surface: readonly string[]): boolean {
  const [before, now] = [report, surface].map((lines) => majorOf(line, lines));
  return line.startsWith('version > ') || (now ?? 0) > (before ?? 0);
}

/** The major version of the part to which a line belongs. */
function majorOf(line: string, lines: readonly string[]): number {
  const part = PARTS.find((each) => line.startsWith(`${each} > `));
  const version = `version > ${part}: `;
  return Number.parseInt(lines.find((each) => each.startsWith(version))?.slice(version.length) ?? '', 10);
}
