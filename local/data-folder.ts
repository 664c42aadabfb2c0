import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Level } from 'level';
import { PlainError } from '../infra/plain-error.ts';

/** The files in a data folder besides the store; each contains one text. */
type Entry =
  /** The access token that `npm start` prints. */
  | 'token'
  /** The address of the store and the access key id that it accepts; written by the process that has it open. */
  | 'endpoint'
  | 'access-key-id'
  /** The address of the service that has the store open; empty if it has none. */
  | 'url';

/**
 * The folder that keeps the local store's items, the local access token, and the address and access key id of the store
 * when it was last opened. Only the folder's owner can read it: folders have mode 0700 and files 0600.
 */
export class DataFolder {
  readonly path: string;
  /** Where the store keeps its items. */
  readonly storePath: string;

  /** @throws PlainError if the folder cannot be created or written to, or holds other files */
  constructor(folder: string) {
    this.path = folder;
    this.storePath = path.join(folder, 'store');
    if (isFolder(folder) && !DataFolder.exists(folder) && readdirSync(folder).length > 0)
      throw new PlainError(`The folder ${folder} holds other files; choose a new or empty one with --data.`);
    try {
      // LevelDB creates its files with the umask of the process.
      process.umask(0o077);
      makeFolder(this.storePath);
      chmodSync(folder, 0o700);
    } catch (error) {
      throw new PlainError(
        `The data folder ${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}).`,
      );
    }
  }

  /** Whether a folder is a data folder; creates nothing. Other folders may have a `store`, but without LevelDB's lock. */
  static exists(folder: string): boolean {
    return existsSync(path.join(folder, 'store', 'LOCK'));
  }

  /** Whether another process has the store open. LevelDB's lock ends with its process, even after `kill -9`. */
  async isInUse(): Promise<boolean> {
    const probe = new Level(this.storePath);
    try {
      await probe.open();
      await probe.close();
      return false;
    } catch (error) {
      const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
      if (cause?.code === 'LEVEL_LOCKED') return true;
      throw new PlainError(`The data folder ${this.path} cannot be opened (${cause?.message ?? error}).`);
    }
  }

  /** @returns undefined if nothing was written under this name */
  read(entry: Entry): string | undefined {
    try {
      return readFileSync(path.join(this.path, entry), 'utf8');
    } catch {
      return undefined;
    }
  }

  write(entry: Entry, text: string): void {
    writeFileSync(path.join(this.path, entry), text, { mode: 0o600 });
  }
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Node's `recursive: true` never returns if a file system answers ENOENT to every mkdir, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder);
}
