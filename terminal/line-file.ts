import { fstatSync, fsyncSync, writeFileSync } from 'node:fs';
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

  /** @param lines whole lines @throws PlainError if they cannot be written, or the file was changed */
  append(lines: string): void {
    this.#checkSize();
    const bytes = Buffer.from(lines);
    // Writes the rest after a short write; Node's stream for a file does not.
    this.onFile(() => writeFileSync(this.descriptor, bytes));
    this.size += bytes.length;
  }

  /** @throws PlainError unless its lines are on disk, and nobody else has changed its size */
  close(): void {
    this.onFile(() => fsyncSync(this.descriptor));
    this.#checkSize();
  }

  protected onFile<Result>(step: () => Result): Result {
    return onFile(this.name, 'written to', step);
  }

  #checkSize(): void {
    if (fstatSync(this.descriptor).size !== this.size)
      throw new PlainError(
        `${this.name} does not have the lines that were written to it: something else has changed it.`,
      );
  }
}
