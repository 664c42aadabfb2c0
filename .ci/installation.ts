/** What some trials need besides `npm ci`. It is installed on first use, into a folder that `npm ci` empties. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PlainError } from '../cli/plain-error.ts';
import { ROOT } from '../test/support/project.ts';

/** The folder of an installation. */
export function folderOf(name: string): string {
  return path.join(ROOT, 'node_modules/.cache', name);
}

/**
 * Installs Python packages on first use.
 * @param python the command of the interpreter
 * @param needs what the installation needs from this machine
 * @param requirements the file that lists every package; with the line --require-hashes, pip checks them
 * @returns the folder of their commands
 */
export function installPython(name: string, python: string, needs: string, requirements: string): string {
  const folder = folderOf(name);
  const mark = path.join(folder, 'installed');
  if (existsSync(mark)) return path.join(folder, 'bin');
  console.info(`Installing ${name}, which takes a minute or more …`);
  rmSync(folder, { recursive: true, force: true });
  // The file lists every package, and some may be older than others require.
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--requirement', requirements];
  installOrFail(needs, () => {
    execFileSync(python, ['-m', 'venv', folder], { stdio: 'pipe' });
    execFileSync(path.join(folder, 'bin/python'), ['-m', 'pip', 'install', ...options], { stdio: 'pipe' });
  });
  writeFileSync(mark, '');
  return path.join(folder, 'bin');
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
