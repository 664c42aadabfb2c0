import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { folderOf } from '../installation.ts';

/** Where AWS's runtime client is built: below the project, or elsewhere if that path has a space, which libtool cannot handle. */
export const CLIENT_FOLDER = /\s/.test(folderOf('aws-lambda-ric'))
  ? path.join(homedir(), '.cache/plant-store', digestOfLock())
  : folderOf('aws-lambda-ric');

/** Unlike the project's cache, `npm ci` does not empty that folder. So its name changes with the lock file. */
function digestOfLock(): string {
  const lock = readFileSync(path.join(import.meta.dirname, 'package-lock.json'));
  return createHash('sha256').update(lock).digest('hex').slice(0, 16);
}
