import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Level } from 'level';
import { PlainError } from './plain-error.ts';

/** The folder that keeps the local store's items, its address while it runs, and the local access token. */
export class DataFolder {
  readonly path: string;
  /** Where the store keeps its items. */
  readonly storePath: string;

  /** @throws PlainError when the folder cannot be made or written to */
  constructor(folder: string) {
    this.path = folder;
    this.storePath = path.join(folder, 'store');
    try {
      makeFolder(this.storePath);
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

  /** The access token that `npm start` prints; readable by its owner only. */
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

/** Node's own `recursive: true` never returns where a file system answers ENOENT to every mkdir, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder);
}
