/** Removes a folder, its argument, when the process at the other end of its standard input ends. */
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const [root = ''] = process.argv.slice(2);
// Ctrl-C reaches every process of a terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
let isDone = false;
process.stdin
  .on('error', () => undefined)
  .on('data', () => {
    isDone = true;
  });
await once(process.stdin, 'close');
// Processes of a killed run end a moment later. Until then they write, and may create the folder again.
for (let count = 0; count < 40 && !(isDone && !existsSync(root)); count += 1) {
  try {
    rmSync(root, { recursive: true, force: true });
  } catch {
    // A file was created while its folder was being removed.
  }
  if (!isDone || existsSync(root)) await pause(250);
}
