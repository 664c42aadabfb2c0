import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from './local-process.ts';

/** A run in short: a temporary root, a file in it, and a server that listens until somebody ends it. */
const RUN = `
  const { makeTemporaryRoot } = await import(${JSON.stringify(new URL('temporary-root.ts', import.meta.url))});
  const { spawn } = await import('node:child_process');
  const { writeFileSync } = await import('node:fs');
  makeTemporaryRoot();
  writeFileSync(process.env.TMPDIR + '/left', '');
  spawn(process.execPath, ['-e', 'require("node:net").createServer().listen(0)'], { stdio: 'inherit' });
  console.log(process.env.TMPDIR);
  setInterval(() => undefined, 1000);
`;

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a run that %s ends leaves no folder and no process behind',
  async (signal) => {
    const parent = path.join(temporaryFolder(), 'a folder');
    mkdirSync(parent);
    const run = spawn(process.execPath, ['--input-type=module', '-e', RUN], {
      env: { ...process.env, TMPDIR: parent },
    });
    const [line] = await once(run.stdout, 'data');
    const root = String(line).trim();
    expect([path.dirname(root), existsSync(path.join(root, 'left'))]).toEqual([parent, true]);
    // The server has its output where the run has it, so this comes when both have ended.
    const ended = once(run, 'close');
    run.kill(signal);
    await ended;
    while (existsSync(root)) await pause(20);
  },
);
