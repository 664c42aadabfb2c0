import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const JANITOR = fileURLToPath(new URL('janitor.ts', import.meta.url));

/** Whether this process is part of a run that has a temporary folder. */
export function isInRun(): boolean {
  return process.env.NODE_OPTIONS?.includes('every-process.ts') ?? false;
}

/**
 * Makes one folder for all temporary files of this process and of those that it starts. A process outside of this one's
 * group removes it when this one has ended, however it ended; the Node processes that this one started then end too.
 * @param slowness by how much to stretch the time limits in the processes that this one starts
 * @returns removes the folder; resolves when it is gone
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

/** The NODE_OPTIONS of a run for a process whose time limits are not to be stretched. */
export function withUsualLimits(options = ''): string {
  return options.replace(/\bslowness=\d+/, 'slowness=1');
}
