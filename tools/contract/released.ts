import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onFile } from '../../terminal/file-error.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { type Break, findBreaks } from './compare.ts';
import type { Surface } from './surface.ts';

/** The surface of the last release. */
export const RELEASED = fileURLToPath(new URL('../../contract/released.json', import.meta.url));

/** @throws PlainError if the file cannot be read */
export function readReleased(file = RELEASED): Surface {
  return JSON.parse(onFile(file, 'read', () => readFileSync(file, 'utf8')));
}

/**
 * Writes the surface of a release. If there is none yet, this is the first one.
 * @throws PlainError if it breaks the one before and its major version has not gone up
 */
export function keepReleased(now: Surface, file = RELEASED): void {
  const breaks: Break[] = existsSync(file) ? findBreaks(readReleased(file), now) : [];
  if (breaks.some(({ isRefused }) => isRefused))
    throw new PlainError('Not kept: npm run contract must succeed first.');
  onFile(file, 'written', () => writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`));
}
