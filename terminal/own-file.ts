import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  rmSync,
} from 'node:fs';
import { onFile } from './file-error.ts';
import { lockFile } from './file-lock.ts';
import { LineFile } from './line-file.ts';
import { PlainError } from './plain-error.ts';

/** A file of lines that only its owner can read, and one process at a time writes. It always ends with a whole line. */
export class OwnFile extends LineFile {
  readonly #unlock: () => void;
  #isBegun = false;

  /**
   * Creates the file, or opens the one that is there; its lines stay until {@link begin}.
   * @throws PlainError if it cannot be written to, another command writes it, or it is not a file of its own, such as a link
   */
  constructor(name: string) {
    const unlock = lockFile(name);
    super(name, openOwn(name, unlock));
    this.#unlock = unlock;
  }

  /** Removes the lines that were there before. Further calls do nothing. */
  begin(): void {
    if (this.#isBegun) return;
    this.onFile(() => ftruncateSync(this.descriptor));
    this.size = 0;
    this.#isBegun = true;
  }

  /** @param lines whole lines @throws PlainError if it fails; then no part of them remains */
  override append(lines: string): void {
    const { size } = fstatSync(this.descriptor);
    try {
      super.append(lines);
    } catch (error) {
      this.onFile(() => ftruncateSync(this.descriptor, size));
      throw error;
    }
  }

  /**
   * Closes the file when its lines are on disk.
   * @param options.keepsEmpty whether an empty file stays
   * @throws PlainError if the file of this name does not have them
   */
  override close({ keepsEmpty = false } = {}): void {
    try {
      super.close();
      const { dev, ino } = fstatSync(this.descriptor);
      const there = lstatSync(this.name, { throwIfNoEntry: false });
      if (there?.dev !== dev || there.ino !== ino)
        throw new PlainError(`${this.name} was removed or replaced while it was written.`);
      if (this.size === 0 && !keepsEmpty) rmSync(this.name);
    } finally {
      closeSync(this.descriptor);
      this.#unlock();
    }
  }
}

function openOwn(name: string, unlock: () => void): number {
  try {
    const descriptor = onFile(name, 'written to', () => openFile(name));
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.nlink !== 1)
      throw new PlainError(`${name} is not a file of its own; remove it, or move it away.`);
    onFile(name, 'written to', () => fchmodSync(descriptor, 0o600));
    return descriptor;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Creates a file, or opens one to append to it. Follows no link, and never waits for the reader of a pipe. */
function openFile(name: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
  const flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK;
  try {
    return openSync(name, flags | O_CREAT | O_EXCL, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return openSync(name, flags);
}
