import { statSync } from 'node:fs';
import path from 'node:path';

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
