import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folderOf, installOrFail } from './installation.ts';

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
