/** Removes a folder, its argument, when the process at the other end of its standard input has ended. */
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const [root = ''] = process.argv.slice(2);
// Ctrl-C reaches every process of a terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdin.on('error', () => undefined).resume();
await once(process.stdin, 'close');
// What the run has started ends a moment later, and may write until then.
for (let count = 0; count < 20 && existsSync(root); count += 1) {
  try {
    rmSync(root, { recursive: true, force: true });
  } catch {
    // A file came while its folder was being removed.
  }
  await pause(250);
}
