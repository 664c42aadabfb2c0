import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { onFile } from '../../cli/file-error.ts';
import { PlainError } from '../../cli/plain-error.ts';

/**
 * Writes a file that only its owner can read, as NAME.part. It takes the place of an earlier file when the work has ended; if that
 * fails, the earlier file is as it was.
 * @param work gets a function that writes text
 * @throws PlainError if the file, or its folder, cannot be written to, or NAME.part exists; what `work` throws
 */
export async function writeWholeFile(
  name: string,
  work: (write: (text: string) => void) => Promise<void>,
): Promise<void> {
  if (lstatSync(name, { throwIfNoEntry: false })?.isFile() === false)
    throw new PlainError(`${name} is not a file.`);
  const part = `${name}.part`;
  const descriptor = onFile(part, 'written to', () => created(part));
  try {
    // Unlike a stream, this writes the rest after a short write, and fails on a full disk.
    await work((text) => onFile(part, 'written to', () => writeFileSync(descriptor, text)))
      .then(() => onFile(part, 'written to', () => fsyncSync(descriptor)))
      .finally(() => closeSync(descriptor));
    onFile(name, 'written to', () => renameSync(part, name));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Never opens a file of somebody else, such as another export that is running: in one step, so that none can come between. */
function created(part: string): number {
  try {
    return openSync(part, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new PlainError(
      `${part} exists: another export writes it, or ended without removing it, as after kill -9. Delete it if none is running.`,
    );
  }
}
