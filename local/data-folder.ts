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
import { PlainError } from './plain-error.ts';

/**
 * The folder that keeps the local store's items, its address and access key id while it runs, and the local access
 * token. Only its owner can read it: folders have mode 0700 and files 0600.
 */
export class DataFolder {
  readonly path: string;
  /** Where the store keeps its items. */
  readonly storePath: string;

  #storeId: string | undefined;

  /** @throws PlainError when the folder cannot be made or written to, or holds something else */
  constructor(folder: string) {
    this.path = folder;
    this.storePath = path.join(folder, 'store');
    requireDataFolder(folder);
    try {
      // LevelDB makes its files with the modes that the process allows.
      process.umask(0o077);
      makeFolder(this.storePath);
      makePrivate(folder);
      this.#write('.writable', '');
    } catch (error) {
      throw new PlainError(
        `The data folder ${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}).`,
      );
    }
  }

  /** Whether a folder has been used as a data folder before; nothing is made. */
  static exists(folder: string): boolean {
    return existsSync(path.join(folder, 'store'));
  }

  /** Whether another process has the store open; LevelDB's lock ends with its process, however that ends. */
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

  /** The address of the store, written by the process that has it open. */
  get endpoint(): string | undefined {
    return this.#read('endpoint');
  }

  set endpoint(address: string) {
    this.#write('endpoint', address);
  }

  /** The access key id that the store accepts, written by the process that has it open. */
  get accessKeyId(): string | undefined {
    return this.#read('access-key-id');
  }

  set accessKeyId(id: string) {
    this.#write('access-key-id', id);
  }

  /** Whether the open store's files are still the ones that it has opened; false when they were deleted or moved. */
  isIntact(): boolean {
    try {
      const { ino, birthtimeNs } = statSync(path.join(this.storePath, 'LOCK'), { bigint: true });
      // A new file can get the number of a deleted one.
      const id = `${ino} ${birthtimeNs}`;
      this.#storeId ??= id;
      return id === this.#storeId;
    } catch {
      return false;
    }
  }

  /** The access token that `npm start` prints. */
  get token(): string | undefined {
    return this.#read('token');
  }

  set token(token: string) {
    this.#write('token', token);
  }

  #read(name: string): string | undefined {
    try {
      return readFileSync(path.join(this.path, name), 'utf8');
    } catch {
      return undefined;
    }
  }

  #write(name: string, text: string): void {
    writeFileSync(path.join(this.path, name), text, { mode: 0o600 });
  }
}

/** A folder of somebody's files must not get the modes of a data folder, nor its files. */
function requireDataFolder(folder: string): void {
  if (!isFolder(folder) || isFolder(path.join(folder, 'store')) || readdirSync(folder).length === 0) return;
  throw new PlainError(`The folder ${folder} holds other files; choose a new or empty one with --data.`);
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Takes the modes that others could read by from a folder and all in it, as an earlier version left them. */
function makePrivate(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) makePrivate(name);
    if (entry.isFile()) chmodIfThere(name);
  }
}

/** The process that has the store open deletes files of its own at any time. */
function chmodIfThere(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Node's own `recursive: true` never returns where a file system answers ENOENT to every mkdir, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder);
}
