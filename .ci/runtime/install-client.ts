import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { folderOf, installPackages } from '../installation.ts';

/** The client is built below the project, or elsewhere if that path has a space, which libtool cannot handle. */
const FOLDER = /\s/.test(folderOf('aws-lambda-ric'))
  ? path.join(homedir(), '.cache/plant-store', digestOfLock())
  : folderOf('aws-lambda-ric');

/** AWS's runtime client for Node.js: the program that runs the function in Lambda. */
export const RUNTIME_CLIENT = path.join(FOLDER, 'node_modules/aws-lambda-ric/index.mjs');

/** Unlike the project's cache, `npm ci` does not empty that folder. So its name changes with the lock file. */
function digestOfLock(): string {
  const lock = readFileSync(path.join(import.meta.dirname, 'package-lock.json'));
  return createHash('sha256').update(lock).digest('hex').slice(0, 16);
}

/**
 * Builds AWS's runtime client on first use. This folder's package.json is installed elsewhere, because `npm ci` must not need a
 * compiler.
 * @throws PlainError with what is missing; `.ci/run` installs the Debian packages
 */
export function installClient(): void {
  // node-gyp would download Node's headers; the package of the Node binary has them.
  const headers = path.join(FOLDER, 'headers');
  cpSync(path.resolve(process.execPath, '../../include'), path.join(headers, 'include'), { recursive: true });
  const packages = {
    folder: FOLDER,
    from: import.meta.dirname,
    env: { ...process.env, npm_config_nodedir: headers },
  };
  installPackages(packages, 'Linux, with the Debian packages cmake, g++, make, python3 and xz-utils');
}
