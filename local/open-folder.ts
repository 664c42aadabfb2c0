import { readdirSync } from 'node:fs';
import { PlainError } from '../terminal/plain-error.ts';
import type { DataFolder } from './data-folder.ts';
import type { EmbeddedStore } from './embedded-store.ts';
import { folderProblem } from './store-files.ts';
import { startThreadedStore } from './threaded-store.ts';

/**
 * Opens the store in a data folder, and writes down its address. LevelDB's lock makes sure that one process has it open,
 * and ends with that process, even after `kill -9`.
 * @returns undefined if another process has it open
 * @throws PlainError if the store is damaged, or cannot be opened for another reason
 */
export async function openFolder(folder: DataFolder): Promise<EmbeddedStore | undefined> {
  if (lacksCurrent(folder.storePath)) throw new PlainError(folderProblem(folder.path, NO_CURRENT));
  try {
    const store = await startThreadedStore(folder.storePath);
    // The process that had the folder open before may have been a service.
    folder.write('url', '');
    folder.write('endpoint', store.endpoint);
    folder.write('access-key-id', store.accessKeyId);
    return store;
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    if (error instanceof PlainError || cause.code === undefined) throw error;
    if (cause.code === 'LEVEL_LOCKED') return undefined;
    throw new PlainError(folderProblem(folder.path, cause));
  }
}

const NO_CURRENT = new Error('Corruption: the file CURRENT is missing');

/** Whether LevelDB would take a used folder for a new one, and delete the files in it. */
function lacksCurrent(storePath: string): boolean {
  const files = readdirSync(storePath);
  return !files.includes('CURRENT') && files.some((name) => /\.(ldb|log)$/.test(name));
}
