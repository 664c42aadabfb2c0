import { statSync } from 'node:fs';
import path from 'node:path';

/**
 * Watches the files of an open store.
 * @param storePath the folder with LevelDB's files; its lock must exist by the first call of the result
 * @returns tells whether the files are still in place; false if they were deleted, moved or replaced
 */
export function storeFiles(storePath: string): () => boolean {
  let lock: bigint | undefined;
  return () => {
    try {
      // LevelDB keeps its lock open, so that no new file can get its number.
      const { ino } = statSync(path.join(storePath, 'LOCK'), { bigint: true });
      lock ??= ino;
      return ino === lock;
    } catch {
      return false;
    }
  };
}

/** An error of the files, not of the request: LevelDB could not read or write. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';

  /** Shows the system's own words, without the path of LevelDB's file. */
  constructor({ message }: Error) {
    super(message.replace(/^IO error: .*: /, ''));
  }
}

/** What LevelDB says of files that are not as it wrote them, are cut, or are missing. */
const DAMAGE = /^(Corruption|Invalid argument|No such file)/;

/**
 * Why a data folder cannot be used, and what to do if it is damaged. Nothing repairs it: LevelDB's own repair ignores
 * checksums. It does not see all damage either: it skips what it cannot read of its log, and reads tables without their checksums.
 */
export function folderProblem(folder: string | undefined, error: Error): string {
  const { message } = new StoreFailure(error);
  const problem = `The data folder ${folder} cannot be used (${message}).`;
  if (!DAMAGE.test(message)) return problem;
  return `${problem} It is damaged: move it away or delete it, and npm start makes a new, empty one.`;
}
