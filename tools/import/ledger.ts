import { rmSync } from 'node:fs';
import { onFile } from '../file-error.ts';
import { type InputRecord, type Refusal, refusedLine } from './record.ts';
import { RefusedFile } from './refused-file.ts';
import { type Progress, StateFile } from './state.ts';

/** The state is saved after this many milliseconds or lines. This limits what is sent twice after a kill. */
const SAVE = { ms: 1_000, lines: 1_000 };

/** The files of an import: its position, and the refused lines. */
export class Ledger {
  readonly progress: Progress;
  readonly refused: RefusedFile;
  /** undefined for standard input, which cannot be read again. */
  readonly #state: StateFile | undefined;
  #savedAt = 0;
  #unsaved = 0;

  /**
   * @param input the name of the file, or undefined for standard input
   * @param target where the plants go
   * @param isRestart whether to forget an earlier import of this file
   * @throws PlainError if the files of an earlier import do not match, or a file cannot be used
   */
  constructor(input: string | undefined, target: string, isRestart: boolean) {
    const refusedFile = `${input ?? 'stdin'}.refused.ndjson`;
    this.#state = input === undefined ? undefined : new StateFile(input, target);
    if (isRestart) {
      this.#state?.remove();
      onFile(refusedFile, 'removed', () => rmSync(refusedFile, { force: true }));
    }
    const begin = { next: { offset: 0, line: 1 }, stored: 0, refused: {}, refusedBytes: undefined };
    const { refusedBytes, ...progress } = this.#state?.load() ?? begin;
    this.progress = progress;
    this.refused = new RefusedFile(refusedFile, refusedBytes);
    this.#save();
  }

  /** Whether any line is finished; at the start, this means that an earlier import was interrupted. */
  get hasBegun(): boolean {
    return this.progress.next.offset > 0;
  }

  /** Records that a line, and all before it, are finished. */
  commit(record: InputRecord, refusal: Refusal | undefined): void {
    if (refusal) {
      this.refused.append(refusedLine(record, refusal));
      this.progress.refused[refusal.error] = (this.progress.refused[refusal.error] ?? 0) + 1;
    } else {
      this.progress.stored += 1;
    }
    this.progress.next = record.end;
    this.#unsaved += 1;
    if (this.#unsaved >= SAVE.lines || performance.now() - this.#savedAt >= SAVE.ms) this.#save();
  }

  #save(): void {
    this.refused.sync();
    this.#state?.save(this.progress, this.refused.size);
    this.#savedAt = performance.now();
    this.#unsaved = 0;
  }

  /** Ends an import that stopped early. If no line is finished, no files remain, so the next run may use another service. */
  stop(): void {
    if (this.hasBegun) this.#save();
    else this.#state?.remove();
    this.refused.close();
  }

  /** Ends a complete import. */
  complete(): void {
    this.refused.close();
    this.#state?.remove();
  }
}
