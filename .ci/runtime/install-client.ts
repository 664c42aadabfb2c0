import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { folderOf, installOrFail } from '../installation.ts';

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
  if (existsSync(path.join(path.dirname(RUNTIME_CLIENT), 'rapid-client.node'))) return;
  console.info("Building AWS's runtime client, which takes a minute or more …");
  mkdirSync(FOLDER, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(path.join(import.meta.dirname, file), path.join(FOLDER, file));
  // node-gyp would download Node's headers; the package of the Node binary has them.
  const headers = path.join(FOLDER, 'headers');
  const include = path.resolve(process.execPath, '../../include');
  const env = { ...process.env, npm_config_nodedir: headers };
  installOrFail('Linux, with the Debian packages cmake, g++, make, python3 and xz-utils', () => {
    cpSync(include, path.join(headers, 'include'), { recursive: true });
    execFileSync('npm', ['ci', '--prefix', FOLDER], { env, stdio: 'pipe' });
  });
}
