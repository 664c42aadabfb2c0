import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { onFile } from './file-error.ts';
import { PlainError } from './plain-error.ts';

/**
 * Makes sure that no two commands write a file. The lock is a file that names the process and its machine; one of a process
 * that has ended, as after `kill -9`, is replaced.
 * @param name of the file; the lock has the same, with `.lock`
 * @returns removes the lock
 * @throws PlainError if another process has it, or that cannot be known; the message says what to do
 */
export function lockFile(name: string): () => void {
  const lock = `${name}.lock`;
  const own = `${process.pid} ${hostname()}\n`;
  if (isOfEndedProcess(textOf(lock))) rmSync(lock, { force: true });
  if (!onFile(lock, 'written to', () => isCreated(lock, own)))
    throw new PlainError(`Another command is writing ${name}. If that is not so, delete ${lock} first.`);
  return () => {
    if (textOf(lock) === own) rmSync(lock, { force: true });
  };
}

function isCreated(lock: string, text: string): boolean {
  try {
    writeFileSync(lock, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // On a full disk it would be left without its text.
    rmSync(lock, { force: true });
    throw error;
  }
}

/** @returns '' if it is not a file: reading a pipe would wait */
function textOf(lock: string): string {
  return lstatSync(lock, { throwIfNoEntry: false })?.isFile() ? readFileSync(lock, 'utf8') : '';
}

/** A process of another machine, which may share the folder, is not known to have ended. */
function isOfEndedProcess(text: string): boolean {
  const [, pid, machine] = /^([1-9]\d{0,9}) (.+)\n$/.exec(text) ?? [];
  if (pid === undefined || machine !== hostname()) return false;
  // A restarted container gives the same number again.
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
