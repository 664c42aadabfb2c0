import {
  appendFileSync,
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  rmSync,
} from 'node:fs';
import { PlainError } from '../../infra/plain-error.ts';
import { onFile } from '../file-error.ts';

/** The file of refused lines, in the order of the input. */
export class RefusedFile {
  readonly name: string;
  readonly #descriptor: number;
  #size: number;

  /**
   * Opens the file, or creates it.
   * @param size how many of its bytes belong to this import; the lines after them are sent again. undefined for a new import
   * @throws PlainError if it cannot be written to, has lines of an earlier import, or lacks lines of this one
   */
  constructor(name: string, size: number | undefined) {
    this.name = name;
    this.#size = size ?? 0;
    this.#descriptor = this.#write(() => openSync(name, 'a', 0o600));
    const found = fstatSync(this.#descriptor).size;
    if (size === undefined && found > 0)
      throw new PlainError(
        `${name} has the refused lines of an earlier import; move it, or overwrite it with --restart.`,
      );
    if (found < this.#size)
      throw new PlainError(`${name} has lost lines of this import; start again with --restart.`);
    if (found > this.#size) this.#write(() => ftruncateSync(this.#descriptor, this.#size));
  }

  /** The number of bytes in whole lines. */
  get size(): number {
    return this.#size;
  }

  /** @throws PlainError if it fails */
  append(line: string): void {
    this.#write(() => appendFileSync(this.#descriptor, line));
    this.#size += Buffer.byteLength(line);
  }

  /** Waits until all lines are on disk. @throws PlainError if it fails */
  sync(): void {
    this.#write(() => fdatasyncSync(this.#descriptor));
  }

  /** Closes the file, and removes it if it is empty. */
  close(): void {
    closeSync(this.#descriptor);
    if (this.#size === 0) rmSync(this.name, { force: true });
  }

  #write<Result>(step: () => Result): Result {
    return onFile(this.name, 'written to', step);
  }
}
