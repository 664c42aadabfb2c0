import { PlainError } from '../terminal/plain-error.ts';
import { printError } from '../terminal/print.ts';
import { countReadable, repair, storeState } from './damaged-store.ts';
import type { DataFolder } from './data-folder.ts';
import type { EmbeddedStore } from './embedded-store.ts';
import { StoreFailure } from './store-files.ts';
import { startThreadedStore } from './threaded-store.ts';

/** An embedded store whose items are in a data folder. */
export interface FolderStore extends EmbeddedStore {
  /** Whether the end of its log was missing. */
  readonly isCut: boolean;
}

/**
 * Opens the store in a data folder, and writes down its address. LevelDB's lock makes sure that one process has it open,
 * and ends with that process, even after `kill -9`.
 * @param mayRepair whether to go on with what can be read of a damaged store
 * @returns undefined if another process has it open
 * @throws PlainError if the store is damaged, or cannot be opened for another reason
 */
export async function openFolder(folder: DataFolder, mayRepair: boolean): Promise<FolderStore | undefined> {
  const { storePath: path } = folder;
  try {
    const { damage, isCut } = storeState(path);
    if (damage !== undefined) return await openDamaged(folder, damage, mayRepair);
    const store = await startThreadedStore(path);
    // The process that had the folder open before may have been a service.
    folder.write('url', '');
    folder.write('endpoint', store.endpoint);
    folder.write('access-key-id', store.accessKeyId);
    return { ...store, isCut };
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    if (error instanceof PlainError || cause.code === undefined) throw error;
    if (cause.code === 'LEVEL_LOCKED') return undefined;
    const reason = new StoreFailure(cause).message;
    if (cause.code === 'LEVEL_CORRUPTION') return openDamaged(folder, reason, mayRepair);
    throw new PlainError(`The data folder ${folder.path} cannot be opened (${reason}).`);
  }
}

async function openDamaged(
  folder: DataFolder,
  damage: string,
  mayRepair: boolean,
): Promise<FolderStore | undefined> {
  const { path, storePath } = folder;
  if (mayRepair) {
    const copy = await repair(storePath);
    printError(`The store in ${path} was damaged (${damage}) and is repaired. As it was, it is in ${copy}.`);
    return openFolder(folder, false);
  }
  const readable = await countReadable(storePath).catch(() => 'an unknown number of');
  throw new PlainError(
    `The store in ${path} is damaged (${damage}); plants in it that can be read: ${readable}. Restore a copy of the folder, ` +
      `or go on with these plants: npm start -- --data ${path} --repair`,
  );
}
