import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../test/support/project.ts';
import { installOrFail } from './installation.ts';

interface Packages {
  /** Where they are installed. */
  readonly folder: string;
  /** The folder of their package.json and package-lock.json. */
  readonly from: string;
  /** Of `npm ci`. */
  readonly args?: readonly string[];
  /** All variables. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Installs npm packages on first use. They are not among those of the project, because its `npm ci` must stay small.
 * @param needs what the installation needs from this machine
 * @returns whether this was the first use
 */
export function installPackages({ folder, from, args = [], env }: Packages, needs: string): boolean {
  if (existsSync(path.join(folder, 'node_modules/.package-lock.json'))) return false;
  console.info(`Installing the packages of ${path.relative(ROOT, from)}, which takes a minute or more …`);
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(ROOT, '.npmrc'), path.join(folder, '.npmrc'));
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(path.join(from, file), path.join(folder, file));
  installOrFail(needs, () =>
    execFileSync('npm', ['ci', ...args, '--prefix', folder], { env, stdio: 'pipe' }),
  );
  return true;
}
