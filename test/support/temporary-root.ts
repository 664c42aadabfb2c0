import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = 'plant-store-test-';

/** Whether this process belongs to a run with a temporary folder. */
export function isInRun(): boolean {
  return path.basename(tmpdir()).startsWith(ROOT);
}

/**
 * Makes one folder for all temporary files of this process and of the processes that it starts, and removes it when this process
 * exits.
 */
export function makeTemporaryRoot(): void {
  const root = mkdtempSync(path.join(tmpdir(), ROOT));
  process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 9 }));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = root;
}

/** A new empty folder, which is removed at the end of the run; a command outside a run is a run of its own. */
export function temporaryFolder(): string {
  if (!isInRun()) makeTemporaryRoot();
  return mkdtempSync(path.join(tmpdir(), 'plant-store-'));
}

/** A file with this text in a folder of its own. */
export function temporaryFile(name: string, text: string): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}
