import { statSync } from 'node:fs';
import path from 'node:path';

/**
 * @param storePath the folder with LevelDB's files, which it has opened
 * @returns a function that throws a StoreFailure if they were deleted, moved or replaced: LevelDB would not notice
 */
export function storeFiles(storePath: string): () => void {
  const lock = path.join(storePath, 'LOCK');
  // LevelDB keeps its lock open, so that no new file can get its number.
  const number = () => statSync(lock, { bigint: true, throwIfNoEntry: false })?.ino;
  const first = number();
  return () => {
    if (number() !== first) throw new StoreFailure(new Error('it was deleted or moved'));
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
