import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { logState } from './leveldb-log.ts';
import { KEYS } from './store-files.ts';

/** Loads LevelDB, which this thread needs only if a store is damaged. Its types lack what browsers cannot do. */
async function loadLevel() {
  const { Level } = await import('level');
  return Level as typeof Level & { repair(path: string): Promise<void> };
}

/** What is known of a store's files before LevelDB opens them, and with that changes them. */
export interface StoreState {
  /** What is damaged, in words; absent: nothing that can be seen before the store is open. */
  readonly damage?: string;
  /** Whether the end of the log is missing: a write was interrupted, or the file was cut. */
  readonly isCut: boolean;
}

/** Looks at the logs and the list of files; the other files are checked by LevelDB itself when it opens them. */
export function storeState(storePath: string): StoreState {
  const states = logsIn(storePath);
  const damaged = states.find(({ state }) => state === 'damaged');
  if (damaged) return { damage: `${damaged.name} is not as it was written`, isCut: false };
  // LevelDB would take the folder for a new one, and delete the files in it.
  if (lacksCurrent(storePath)) return { damage: 'the file CURRENT is missing', isCut: false };
  return { isCut: states.some(({ state }) => state === 'cut') };
}

/** The number of plants that {@link salvage} would keep. Does not change the store. */
export async function countReadable(storePath: string): Promise<number> {
  const copy = mkdtempSync(path.join(tmpdir(), 'plant-store-'));
  try {
    cpSync(storePath, copy, { recursive: true });
    await salvage(copy);
    return await count(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Makes a damaged store usable, with what can be read of it. @returns the path of a copy of the store as it was */
export async function repair(storePath: string): Promise<string> {
  const copy = `${storePath}-damaged-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
  cpSync(storePath, copy, { recursive: true, errorOnExist: true, force: false });
  await salvage(storePath);
  return copy;
}

/** LevelDB leaves out what it cannot read of a log as it opens the store. Its repair does not: it ignores checksums. */
async function salvage(storePath: string): Promise<void> {
  if (!lacksCurrent(storePath) && (await canOpen(storePath))) return;
  for (const { name, state } of logsIn(storePath))
    if (state === 'damaged') rmSync(path.join(storePath, name));
  const Level = await loadLevel();
  await Level.repair(storePath);
}

async function canOpen(storePath: string): Promise<boolean> {
  const Level = await loadLevel();
  const store = new Level(storePath);
  try {
    await store.open();
    await store.close();
    return true;
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException).code === 'LEVEL_CORRUPTION') return false;
    throw error;
  }
}

async function count(storePath: string): Promise<number> {
  const Level = await loadLevel();
  const store = new Level(storePath);
  let plants = 0;
  for await (const _ of store.keys(KEYS.plants)) plants += 1;
  await store.close();
  return plants;
}

function lacksCurrent(storePath: string): boolean {
  const files = readdirSync(storePath);
  return !files.includes('CURRENT') && files.some((name) => /\.(ldb|sst|log)$/.test(name));
}

function logsIn(storePath: string) {
  return (
    readdirSync(storePath)
      .filter((name) => name.endsWith('.log'))
      .map((name) => ({ name, file: path.join(storePath, name) }))
      // A process that has the store open deletes logs.
      .filter(({ file }) => existsSync(file))
      .map(({ name, file }) => ({ name, state: logState(readFileSync(file)) }))
  );
}
