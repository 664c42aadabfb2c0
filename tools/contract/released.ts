import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onFile } from '../../terminal/file-error.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { findBreaks } from './compare.ts';
import type { Surface } from './surface.ts';

/** The surface of the last release. */
const RELEASED = fileURLToPath(new URL('../../contract/released.json', import.meta.url));

/** @throws PlainError if the file cannot be read */
export function readReleased(file = RELEASED): Surface {
  return JSON.parse(onFile(file, 'read', () => readFileSync(file, 'utf8')));
}

/** What `npm run contract` prints about a surface, and whether it breaks a release without a new major version. */
export function judge(released: Surface, now: Surface): { lines: string[]; isRefused: boolean } {
  const breaks = findBreaks(released, now);
  const refused = breaks.filter(({ isRefused }) => isRefused);
  const versions = new Set(refused.map(({ needs }) => `${needs} ${released.versions[needs]}`));
  const verdict =
    refused.length > 0
      ? `Not compatible with ${[...versions].join(', ')}: see "What a release promises" in CONTRIBUTING.md.`
      : 'Compatible with the last release, or its major version went up.';
  return { lines: [...breaks.map(({ line }) => line), verdict], isRefused: refused.length > 0 };
}

/**
 * Writes the surface of a release. If there is none yet, this is the first one.
 * @throws PlainError if it breaks the one before without a new major version
 */
export function keepReleased(now: Surface, file = RELEASED): void {
  if (existsSync(file) && judge(readReleased(file), now).isRefused)
    throw new PlainError('Not kept: npm run contract must succeed first.');
  onFile(file, 'written', () => writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`));
}
