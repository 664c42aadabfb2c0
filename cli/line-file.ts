import { fstatSync, fsyncSync, ftruncateSync, writeFileSync } from 'node:fs';
import { onFile } from './file-error.ts';
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

  /** @param lines whole lines @throws PlainError if the file was changed, or they cannot be written; no part of them remains */
  append(lines: string): void {
    this.#checkSize();
    const bytes = Buffer.from(lines);
    try {
      // This writes the rest after a short write; Node's stream for a file does not.
      onFile(this.name, 'written to', () => writeFileSync(this.descriptor, bytes));
    } catch (error) {
      ftruncateSync(this.descriptor, this.size);
      throw error;
    }
    this.size += bytes.length;
  }

  /** @throws PlainError unless its lines are on disk, and nobody else has changed its size */
  close(): void {
    onFile(this.name, 'written to', () => fsyncSync(this.descriptor));
    this.#checkSize();
  }

  #checkSize(): void {
    if (fstatSync(this.descriptor).size !== this.size)
      throw new PlainError(
        `${this.name} does not have the lines that were written to it: something else has changed it.`,
      );
  }
}
