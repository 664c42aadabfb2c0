import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onFile } from '../cli/file-error.ts';
import { PlainError } from '../cli/plain-error.ts';
import { startCommand } from './defaults.ts';

/**
 * The files in a data folder besides the store; each contains one text: the access token that `npm start` prints, the address of the
 * store and the access key id that it accepts, the process that has it open, and the address of its service, empty if it has none.
 */
const ENTRIES = ['token', 'endpoint', 'access-key-id', 'pid', 'url'] as const;
type Entry = (typeof ENTRIES)[number];

/**
 * The folder that keeps the local store's items, the local access token, and the address and access key id of the store
 * when it was last opened. Only the folder's owner can read it: folders have mode 0700 and files 0600.
 */
export class DataFolder {
  readonly path: string;
  /** Where the store keeps its items. */
  readonly storePath: string;
  /** Whether its store has kept plants before: the token is written after the tables. */
  readonly isUsed: boolean;

  /** @throws PlainError if the folder cannot be created or written to, or holds other files */
  constructor(folder: string) {
    this.path = folder;
    this.storePath = path.join(folder, 'store');
    onFolder(folder, () => {
      if (hasOtherFiles(folder))
        throw new PlainError(
          `The folder ${folder} holds other files; choose a new or empty one with --data.`,
        );
      // LevelDB creates its files with the umask of the process.
      process.umask(0o077);
      mkdirSync(this.storePath, { recursive: true });
      chmodSync(folder, 0o700);
    });
    this.isUsed = DataFolder.exists(folder) && this.read('token') !== undefined;
  }

  /**
   * Whether a folder is a data folder; creates nothing. Other folders may have a `store`, but without LevelDB's lock.
   * @throws PlainError if that cannot be known
   */
  static exists(folder: string): boolean {
    return onFolder(folder, () => {
      const lock = path.join(folder, 'store', 'LOCK');
      return statSync(lock, { throwIfNoEntry: false }) !== undefined;
    });
  }

  /** @returns undefined if nothing was written under this name */
  read(entry: Entry): string | undefined {
    try {
      return readFileSync(path.join(this.path, entry), 'utf8');
    } catch {
      return undefined;
    }
  }

  /** @throws PlainError if the text cannot be written */
  write(entry: Entry, text: string): void {
    onFolder(this.path, () => writeFileSync(path.join(this.path, entry), text, { mode: 0o600 }));
  }
}

/** @throws PlainError with the system's error code */
const onFolder = <Result>(folder: string, step: () => Result) =>
  onFile(`The data folder ${folder}`, 'written to', step);

/**
 * Whether a folder is not ours. In a data folder, LevelDB's `LOG` comes first, its `LOCK` second, and then the rest. If the store is
 * elsewhere, there is only the token.
 */
function hasOtherFiles(folder: string): boolean {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  const names = readdirSync(folder);
  const inStore = names.includes('store') ? readdirSync(path.join(folder, 'store')) : [];
  const hasOthers =
    names.some((name) => !/^(store|token)$/.test(name)) || inStore.some((name) => !/^LOG/.test(name));
  // Last, because another process may be making the same folder.
  return hasOthers && !DataFolder.exists(folder);
}

/** The store has lost something that LevelDB does not miss. */
export class DamagedStore extends Error {}

/** The store is one of another version. */
export class OtherStore extends Error {}

/** What LevelDB says of files that are not as it wrote them, are cut, or are missing. */
const DAMAGE = /^(Corruption|Invalid argument|No such file)/;

/**
 * Why the store in a data folder cannot be used, and what to do if it is damaged or of another version. Nothing repairs it: LevelDB's
 * own repair ignores checksums. It does not see all damage either: it skips what it cannot read of its log, and reads tables without
 * their checksums.
 * @param folder undefined if the store is in memory
 * @param error what LevelDB says; its own path is left out
 */
export function folderProblem(folder: string | undefined, error: Error): string {
  const message = error.message.replace(/^IO error: .*: /, '');
  const store = folder === undefined ? 'The store in memory' : `The data folder ${folder}`;
  const problem = `${store} cannot be used (${message}).`;
  if (error instanceof OtherStore) return `${problem} Or delete the folder, with its plants.`;
  if (folder === undefined || (!(error instanceof DamagedStore) && !DAMAGE.test(message))) return problem;
  return `${problem} It is damaged: move it away or delete it. Then this makes a new, empty one: ${startCommand(folder)}`;
}
