import {
  appendFileSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  rmSync,
} from 'node:fs';
import { PlainError } from '../../infra/plain-error.ts';
import { onFile } from '../file-error.ts';

/** The file of refused lines, in the order of the input. Only its owner can read it. */
export class RefusedFile {
  readonly name: string;
  readonly #descriptor: number;

  /**
   * Creates the file, or opens the one that an earlier import has left; its lines stay until {@link begin}.
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

  /** Removes the lines of an earlier import. */
  begin(): void {
    this.#write(() => ftruncateSync(this.#descriptor));
  }

  /** @throws PlainError if it fails; then no part of the line remains */
  append(line: string): void {
    const { size } = fstatSync(this.#descriptor);
    try {
      this.#write(() => appendFileSync(this.#descriptor, line));
    } catch (error) {
      this.#write(() => ftruncateSync(this.#descriptor, size));
      throw error;
    }
  }

  /**
   * Closes the file when its lines are on disk, and removes it if it is empty.
   * @throws PlainError if they are not there
   */
  close(): void {
    const { size, nlink } = fstatSync(this.#descriptor);
    this.#write(() => fsyncSync(this.#descriptor));
    closeSync(this.#descriptor);
    if (nlink === 0) throw new PlainError(`${this.name} was removed during the import.`);
    if (size === 0) rmSync(this.name, { force: true });
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
