import database from 'dynalite/db/index.js';
import { PlainError } from '../cli/plain-error.ts';
import { DataFolder } from './data-folder.ts';
import { startCommand } from './defaults.ts';

/**
 * Finds the service that has a data folder open, by the address and the token in the folder. Whoever opens a folder removes the
 * address of the one before, so that an address belongs to the process that has the lock.
 * @throws PlainError if none is running, or the folder cannot be read
 */
export async function runningService(data: string): Promise<{ url: string; token: string }> {
  if (DataFolder.exists(data)) {
    const folder = new DataFolder(data);
    const [url = '', token] = [folder.read('url'), folder.read('token')];
    if (token && url && (await isLocked(folder.storePath))) return { url, token };
  }
  throw new PlainError(
    `No service with the data folder ${data} is running: ${startCommand(data)}. ` +
      'For another service, or one with a store elsewhere: --url.',
  );
}

/** Whether a process has a store open. */
async function isLocked(path: string): Promise<boolean> {
  const { db } = database.create({ path });
  const code = await db.open().then(
    () => undefined,
    ({ cause }: { cause?: NodeJS.ErrnoException }) => cause?.code,
  );
  if (code === undefined) await db.close();
  return code === 'LEVEL_LOCKED';
}
