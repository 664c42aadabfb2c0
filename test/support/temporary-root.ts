import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Whether this process belongs to a run with a temporary folder. */
export function isInRun(): boolean {
  return process.env.NODE_OPTIONS?.includes('every-process.ts') ?? false;
}

/**
 * Makes one folder for all temporary files of this process and of the processes that it starts, and removes it when this process
 * exits. The Node processes of the run end with the process that started them.
 * @param slowness the factor by which to stretch the time limits in the processes that this one starts
 */
export function makeTemporaryRoot(slowness = 1): void {
  const root = mkdtempSync(path.join(tmpdir(), 'plant-store-test-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 9 }));
  process.env.NODE_OPTIONS = `--import=${new URL(`every-process.ts?slowness=${slowness}`, import.meta.url)}`;
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = root;
}

/** A new empty folder, which is removed at the end of the run; a command outside a run is a run of its own. */
export function temporaryFolder(): string {
  if (!isInRun()) makeTemporaryRoot();
  return mkdtempSync(path.join(tmpdir(), 'plant-store-'));
}

/** The NODE_OPTIONS of a run for a process whose time limits are not to be stretched. */
export function withUsualLimits(options = ''): string {
  return options.replace(/\bslowness=\d+/, 'slowness=1');
}
