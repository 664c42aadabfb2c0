import {
  appendFileSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
} from 'node:fs';
import { onFile } from './file-error.ts';
import { PlainError } from './plain-error.ts';

/** A file of lines that only its owner can read. It always ends with a whole line. */
export class OwnFile {
  readonly name: string;
  readonly #descriptor: number;
  #isBegun = false;

  /**
   * Creates the file, or opens the one that is there; its lines stay until {@link begin}.
   * @throws PlainError if it cannot be written to, or is not a file of its own, such as a link
   */
  constructor(name: string) {
    this.name = name;
    this.#descriptor = this.#write(() => openFile(name));
    const stats = fstatSync(this.#descriptor);
    if (!stats.isFile() || stats.nlink !== 1)
      throw new PlainError(`${name} is not a file of its own; remove it, or move it away.`);
    this.#write(() => fchmodSync(this.#descriptor, 0o600));
  }

  /** Removes the lines that were there before. Further calls do nothing. */
  begin(): void {
    if (!this.#isBegun) this.#write(() => ftruncateSync(this.#descriptor));
    this.#isBegun = true;
  }

  /** @param lines whole lines @throws PlainError if it fails; then no part of them remains */
  append(lines: string): void {
    const { size } = fstatSync(this.#descriptor);
    try {
      this.#write(() => appendFileSync(this.#descriptor, lines));
    } catch (error) {
      this.#write(() => ftruncateSync(this.#descriptor, size));
      throw error;
    }
  }

  /**
   * Closes the file when its lines are on disk.
   * @returns whether it is empty
   * @throws PlainError if they are not there
   */
  close(): boolean {
    const { size, nlink } = fstatSync(this.#descriptor);
    this.#write(() => fsyncSync(this.#descriptor));
    closeSync(this.#descriptor);
    if (nlink === 0) throw new PlainError(`${this.name} was removed while it was written.`);
    return size === 0;
  }

  #write<Result>(step: () => Result): Result {
    return onFile(this.name, 'written to', step);
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
