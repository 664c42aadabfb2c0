import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { PlainError } from '../../local/plain-error.ts';
import type { Position } from './record.ts';

/** The position of an import: all lines before `next` are stored or refused. */
export interface Progress {
  next: Position;
  stored: number;
  /** The number of refused lines by error number. */
  refused: Record<string, number>;
  /** The names of a CSV file's header. */
  columns?: readonly string[] | undefined;
}

/** What the state file holds. */
interface Saved extends Progress {
  /** Where the plants go. */
  readonly target: string;
  /** The SHA-256 of the input before `next`. */
  readonly sha256: string;
  /** The size of the file of refused lines, in bytes. */
  readonly refusedBytes: number;
}

/** The state file of an import: where to resume after an interruption. */
export class StateFile {
  readonly #file: string;
  readonly #target: string;
  readonly #input: Fingerprint;

  /**
   * @param file the state file
   * @param target where the plants go
   * @param input the file that is imported
   * @throws PlainError if the input cannot be read
   */
  constructor(file: string, target: string, input: string) {
    this.#file = file;
    this.#target = target;
    this.#input = new Fingerprint(input);
  }

  /**
   * @returns the position of the last import, or undefined if it was complete
   * @throws PlainError if it was an import to another target, or the input has changed before that position
   */
  load(): (Progress & { refusedBytes: number }) | undefined {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new PlainError(`${this.#file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    }
    const { target, sha256, ...progress } = this.#parse(text);
    const choice = 'continue that one, or start again from the first line with --restart';
    if (target !== this.#target)
      throw new PlainError(`${this.#file} belongs to an import to ${target}; ${choice}.`);
    if (sha256 !== this.#input.upTo(progress.next.offset))
      throw new PlainError(
        `The file has changed before line ${progress.next.line}, where its import was interrupted; undo the change, or start again from the first line with --restart.`,
      );
    return progress;
  }

  #parse(text: string): Saved {
    try {
      const saved = JSON.parse(text) as Saved;
      if (Number.isSafeInteger(saved.next.offset) && Number.isSafeInteger(saved.refusedBytes)) return saved;
    } catch {
      // Not a state file.
    }
    throw new PlainError(
      `${this.#file} is not the state of an import; start again from the first line with --restart.`,
    );
  }

  /** Replaces the file in one step, so that a kill leaves the old state or the new one. */
  save(progress: Progress, refusedBytes: number): void {
    const sha256 = this.#input.upTo(progress.next.offset);
    const saved: Saved = { target: this.#target, ...progress, sha256, refusedBytes };
    const part = `${this.#file}.part`;
    try {
      const descriptor = openSync(part, 'w');
      writeSync(descriptor, `${JSON.stringify(saved, null, 2)}\n`);
      fsyncSync(descriptor);
      closeSync(descriptor);
      renameSync(part, this.#file);
    } catch (error) {
      throw new PlainError(`${this.#file} cannot be written to (${(error as NodeJS.ErrnoException).code}).`);
    }
  }

  /** Removes the file, when the import is complete. */
  remove(): void {
    rmSync(this.#file, { force: true });
  }
}

/** The SHA-256 of the first bytes of a file. Each byte is read once if the sizes asked for never decrease. */
class Fingerprint {
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.alloc(65_536);
  #size = 0;

  constructor(file: string) {
    try {
      this.#descriptor = openSync(file, 'r');
    } catch (error) {
      throw new PlainError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    }
  }

  /** @param size not less than before; bytes that the file does not have change nothing */
  upTo(size: number): string {
    while (this.#size < size) {
      const wanted = Math.min(this.#buffer.length, size - this.#size);
      const read = readSync(this.#descriptor, this.#buffer, 0, wanted, this.#size);
      if (read === 0) break;
      this.#hash.update(this.#buffer.subarray(0, read));
      this.#size += read;
    }
    // A file that is too short has another hash than the saved one.
    return this.#hash.copy().update(String(this.#size)).digest('hex');
  }
}
