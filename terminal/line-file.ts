import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { onFile } from './file-error.ts';
import { lockFile } from './file-lock.ts';
import { PlainError } from './plain-error.ts';

/** An open file that gets lines from this process alone. */
export class LineFile {
  readonly name: string;
  protected readonly descriptor: number;
  /** In bytes, with all lines so far. */
  protected size: number;

  /** @param name of the file, for messages */
  constructor(name: string, descriptor: number) {
    this.name = name;
    this.descriptor = descriptor;
    this.size = fstatSync(descriptor).size;
  }

  /** @param lines whole lines @throws PlainError if they cannot be written, or the file was changed */
  append(lines: string): void {
    this.#checkSize();
    const bytes = Buffer.from(lines);
    this.write(bytes);
    this.size += bytes.length;
  }

  /** @throws PlainError unless its lines are on disk, and nobody else has changed its size */
  close(): void {
    onFile(this.name, 'written to', () => fsyncSync(this.descriptor));
    this.#checkSize();
  }

  /** Writes the rest after a short write; Node's stream for a file does not. */
  protected write(bytes: Buffer): void {
    onFile(this.name, 'written to', () => writeFileSync(this.descriptor, bytes));
  }

  #checkSize(): void {
    if (fstatSync(this.descriptor).size !== this.size)
      throw new PlainError(
        `${this.name} does not have the lines that were written to it: something else has changed it.`,
      );
  }
}

/** A file of lines that only its owner can read, and one process at a time writes. It always ends with a whole line. */
export class OwnFile extends LineFile {
  readonly #unlock: () => void;
  #isBegun: boolean;

  /**
   * Creates the file, or opens the one that is there; its lines stay until the first {@link append}.
   * @param options.keeps whether they stay then, too
   * @throws PlainError if it cannot be written to, another command writes it, or it is not a file of its own, such as a link
   */
  constructor(name: string, { keeps = false } = {}) {
    const unlock = lockFile(name);
    super(name, openOwn(name, unlock));
    this.#unlock = unlock;
    this.#isBegun = keeps;
  }

  /** @param lines whole lines, or none @throws PlainError if it fails; then no part of them remains */
  override append(lines: string): void {
    if (!this.#isBegun) {
      this.size = 0;
      this.#truncate();
      this.#isBegun = true;
    }
    super.append(lines);
  }

  protected override write(bytes: Buffer): void {
    try {
      super.write(bytes);
    } catch (error) {
      this.#truncate();
      throw error;
    }
  }

  /**
   * Closes the file when its lines are on disk.
   * @param keepsEmpty whether an empty file stays
   * @throws PlainError if the file of this name does not have them
   */
  override close(keepsEmpty = false): void {
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

  #truncate(): void {
    onFile(this.name, 'written to', () => ftruncateSync(this.descriptor, this.size));
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

/** Opens a file to append to it, or creates it. Follows no link, and never waits for the reader of a pipe. */
function openFile(name: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  return openSync(name, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
}
