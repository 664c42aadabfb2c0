/** What some trials need besides `npm ci`. It is installed on first use, into a folder that `npm ci` empties. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { PlainError } from '../cli/plain-error.ts';
import { ROOT } from '../test/support/project.ts';

/** The folder of an installation. */
export function folderOf(name: string): string {
  return path.join(ROOT, 'node_modules/.cache', name);
}

/**
 * Installs npm packages on first use. They are not among those of the project, because `npm ci` must stay small.
 * @param from has their package.json and package-lock.json
 * @param needs what the installation needs from this machine
 * @returns whether this was the first use
 */
export function installPackages(
  {
    folder,
    from,
    args = [],
    env,
  }: { folder: string; from: string; args?: string[]; env?: NodeJS.ProcessEnv },
  needs: string,
): boolean {
  if (existsSync(path.join(folder, 'node_modules/.package-lock.json'))) return false;
  console.info(`Installing the packages of ${path.relative(ROOT, from)}, which takes a minute or more …`);
  mkdirSync(folder, { recursive: true });
  for (const file of [
    path.join(ROOT, '.npmrc'),
    ...['package.json', 'package-lock.json'].map((name) => path.join(from, name)),
  ])
    cpSync(file, path.join(folder, path.basename(file)));
  installOrFail(needs, () =>
    execFileSync('npm', ['ci', ...args, '--prefix', folder], { env, stdio: 'pipe' }),
  );
  return true;
}

/**
 * Installs what a trial needs.
 * @param needs what the installation needs from this machine
 * @throws PlainError with this, and with the last lines that the installer printed
 */
export function installOrFail<T>(needs: string, install: () => T): T {
  try {
    return install();
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer };
    const end = (stderr?.toString().trim() || String(error)).split('\n').slice(-20).join('\n');
    throw new PlainError(`The installation needs ${needs}. It ended with:\n${end}`);
  }
}
