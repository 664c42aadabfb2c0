import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const JANITOR = fileURLToPath(new URL('janitor.ts', import.meta.url));

/** Whether this process belongs to a run with a temporary folder. */
export function isInRun(): boolean {
  return process.env.NODE_OPTIONS?.includes('every-process.ts') ?? false;
}

/**
 * Makes one folder for all temporary files of this process and of the processes that it starts. When this process ends,
 * for whatever reason, a process outside its group removes the folder, and the Node processes of the run end too.
 * @param slowness the factor by which to stretch the time limits in the processes that this one starts
 * @returns a function that removes the folder; resolves when it is gone
 */
export function makeTemporaryRoot(slowness = 1): () => Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'plant-store-test-'));
  // Its absence tells the processes of the run that the run has ended.
  writeFileSync(path.join(root, 'run'), '');
  const janitor = spawn(process.execPath, [JANITOR, root], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  janitor.unref();
  const query = new URLSearchParams({ root, slowness: String(slowness) });
  process.env.NODE_OPTIONS = `--import=${new URL(`every-process.ts?${query}`, import.meta.url)}`;
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = root;
  return async () => {
    const ended = once(janitor, 'exit');
    janitor.stdin.end('done');
    await ended;
  };
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
