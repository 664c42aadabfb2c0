import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import * as z from 'zod';
import { PlainError } from '../../local/plain-error.ts';
import { onFile } from './file-error.ts';

const wholeNumber = z.int().min(0);

const progress = z.object({
  next: z.object({ offset: wholeNumber, line: wholeNumber.min(1) }),
  stored: wholeNumber,
  /** The number of refused lines by error number. */
  refused: z.record(z.string(), wholeNumber),
  /** The names of a CSV file's header. */
  columns: z.array(z.string()).readonly().optional(),
});

/** The position of an import: all lines before `next` are stored or refused. */
export type Progress = z.infer<typeof progress>;

/** What the state file holds. */
const saved = progress.extend({
  /** Where the plants go. */
  target: z.string(),
  /** The SHA-256 of the input before `next`. */
  sha256: z.string(),
  /** The size of the file of refused lines, in bytes. */
  refusedBytes: wholeNumber,
});
type Saved = z.infer<typeof saved>;

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
    if (!existsSync(this.#file)) return undefined;
    const text = onFile(this.#file, 'read', () => readFileSync(this.#file, 'utf8'));
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
      return saved.parse(JSON.parse(text));
    } catch {
      throw new PlainError(
        `${this.#file} is not the state of an import; start again from the first line with --restart.`,
      );
    }
  }

  /** Replaces the file in one step, so that a kill leaves the old state or the new one. */
  save(progress: Progress, refusedBytes: number): void {
    const sha256 = this.#input.upTo(progress.next.offset);
    const content: Saved = { target: this.#target, ...progress, sha256, refusedBytes };
    const part = `${this.#file}.part`;
    onFile(this.#file, 'written to', () => {
      const descriptor = openSync(part, 'w');
      writeFileSync(descriptor, `${JSON.stringify(content, null, 2)}\n`);
      fsyncSync(descriptor);
      closeSync(descriptor);
      renameSync(part, this.#file);
    });
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
    this.#descriptor = onFile(file, 'read', () => openSync(file, 'r'));
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
