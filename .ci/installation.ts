/** What some trials need besides `npm ci`. It is installed on first use, into a folder that `npm ci` empties. */
import path from 'node:path';
import { PlainError } from '../cli/plain-error.ts';
import { ROOT } from '../test/support/project.ts';

/** The folder of an installation. */
export function folderOf(name: string): string {
  return path.join(ROOT, 'node_modules/.cache', name);
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
