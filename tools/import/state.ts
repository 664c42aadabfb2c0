import { createHash } from 'node:crypto';
import { existsSync, openSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { PlainError } from '../../infra/plain-error.ts';
import { onFile } from '../file-error.ts';
import type { Position } from './record.ts';

const FROM_START = 'start again from the first line with --restart';

/** The position of an import: all lines before `next` are stored or refused. */
export interface Progress {
  next: Position;
  stored: number;
  /** The number of refused lines by error number. */
  readonly refused: Record<string, number>;
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
   * @param input the file that is imported
   * @param target where the plants go
   * @throws PlainError if the input cannot be opened
   */
  constructor(input: string, target: string) {
    this.#file = `${input}.import.json`;
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
    const saved = savedIn(text);
    if (!saved) throw new PlainError(`${this.#file} is not the state of an import; ${FROM_START}.`);
    const { target, sha256, ...progress } = saved;
    if (target !== this.#target)
      throw new PlainError(
        `${this.#file} belongs to an import to ${target}; continue that one, or ${FROM_START}.`,
      );
    if (sha256 !== this.#input.upTo(progress.next.offset))
      throw new PlainError(
        `The file has changed before line ${progress.next.line}, where its import was interrupted; undo the change, or ${FROM_START}.`,
      );
    return progress;
  }

  /** Replaces the file in one step, so that a kill leaves the old state or the new one. */
  save(progress: Progress, refusedBytes: number): void {
    const sha256 = this.#input.upTo(progress.next.offset);
    const content: Saved = { target: this.#target, ...progress, sha256, refusedBytes };
    const part = `${this.#file}.part`;
    onFile(this.#file, 'written to', () => {
      writeFileSync(part, `${JSON.stringify(content, null, 2)}\n`, { flush: true });
      renameSync(part, this.#file);
    });
  }

  remove(): void {
    onFile(this.#file, 'removed', () => rmSync(this.#file, { force: true }));
  }
}

/** @returns undefined if the text is not what a state file holds */
function savedIn(text: string): Saved | undefined {
  try {
    const saved: Saved = JSON.parse(text);
    const { next, stored, refused, refusedBytes, columns = [] } = saved;
    const counts = [next.offset, next.line, stored, refusedBytes, ...Object.values(refused)];
    const isValid = counts.every((count) => Number.isSafeInteger(count) && count >= 0);
    return isValid && Array.isArray(columns) ? saved : undefined;
  } catch {
    return undefined;
  }
}

/** The SHA-256 of the first bytes of a file. Each byte is read once if the sizes asked for never decrease. */
class Fingerprint {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.alloc(65_536);
  #size = 0;

  constructor(file: string) {
    this.#file = file;
    this.#descriptor = onFile(file, 'read', () => openSync(file, 'r'));
  }

  /** @param size not less than before; bytes that the file does not have change nothing */
  upTo(size: number): string {
    while (this.#size < size) {
      const wanted = Math.min(this.#buffer.length, size - this.#size);
      const read = onFile(this.#file, 'read', () =>
        readSync(this.#descriptor, this.#buffer, 0, wanted, this.#size),
      );
      if (read === 0) break;
      this.#hash.update(this.#buffer.subarray(0, read));
      this.#size += read;
    }
    // The size makes the hash of a file that is too short differ from the saved one.
    return this.#hash.copy().update(String(this.#size)).digest('hex');
  }
}
