import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { onFile } from '../../cli/file-error.ts';
import { LineFile } from '../../cli/line-file.ts';
import { PlainError } from '../../cli/plain-error.ts';

/**
 * A file of lines that only its owner can read. They are written to NAME.part, which takes the place of an earlier file at the
 * end. Two processes never write the same one, because only one of them can create NAME.part.
 */
export class OwnFile extends LineFile {
  readonly #part: string;
  #isOpen = true;

  /**
   * @param options.keeps whether it begins with the lines of the earlier file
   * @throws PlainError if another command writes it, or it cannot be written to
   */
  constructor(name: string, { keeps = false } = {}) {
    const part = `${name}.part`;
    super(name, createPart(part, name, keeps));
    this.#part = part;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Puts it in place. @throws PlainError unless all its lines are on disk; it is then still to be removed */
  override close(): void {
    super.close();
    if (!this.#isInPlace()) throw new PlainError(`${this.#part} was deleted or replaced meanwhile.`);
    onFile(this.name, 'written to', () => renameSync(this.#part, this.name));
    this.#isOpen = false;
    closeSync(this.descriptor);
  }

  /** Removes it, unless it is in place. The earlier file is as it was. */
  remove(): void {
    if (!this.#isOpen) return;
    const isOurs = this.#isInPlace();
    this.#isOpen = false;
    closeSync(this.descriptor);
    if (isOurs) rmSync(this.#part);
  }

  /** Whether NAME.part is still this file: somebody may have deleted it, and started another command. */
  #isInPlace(): boolean {
    return statSync(this.#part, { throwIfNoEntry: false })?.ino === fstatSync(this.descriptor).ino;
  }
}

function createPart(part: string, name: string, keeps: boolean): number {
  if (lstatSync(name, { throwIfNoEntry: false })?.isFile() === false)
    throw new PlainError(`${name} is not a file.`);
  try {
    const isCopy = keeps && existsSync(name);
    if (isCopy) copyFileSync(name, part, constants.COPYFILE_EXCL);
    const descriptor = openSync(part, isCopy ? 'a' : 'ax', 0o600);
    // A copy has the mode of the original.
    fchmodSync(descriptor, 0o600);
    return descriptor;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PlainError(
      code === 'EEXIST'
        ? `Another command is writing ${name}, or was ended while it did, as by kill -9. If none is running, delete ${part} first.`
        : `${part} cannot be written to (${code}).`,
    );
  }
}
