import { statSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_TABLES } from './tables.ts';

/**
 * Watches the files of an open store.
 * @param storePath the folder with LevelDB's files; its lock must exist by the first call of the result
 * @returns tells whether the files are still in place; false if they were deleted, moved or replaced
 */
export function storeFiles(storePath: string): () => boolean {
  let storeId: string | undefined;
  return () => {
    try {
      const { ino, birthtimeNs } = statSync(path.join(storePath, 'LOCK'), { bigint: true });
      // A new file can get the inode number of a deleted one.
      const id = `${ino} ${birthtimeNs}`;
      storeId ??= id;
      return id === storeId;
    } catch {
      return false;
    }
  };
}

/** Where dynalite keeps its tables and the plants among the keys of LevelDB. */
export const KEYS = { tables: keysOf('table'), plants: keysOf(`item-${LOCAL_TABLES.plants}`) } as const;

function keysOf(name: string) {
  return { gte: `${name}~`, lt: `${name}\u007f` };
}

/** An error of the files, not of the request: LevelDB could not read or write. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';

  /** Shows the system's own words, without the path of LevelDB's file. */
  constructor({ message }: Error) {
    super(message.replace(/^IO error: .*: /, ''));
  }
}
