import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary-root.ts';

/** Like a process that is starting: busy until the run has ended, then creates its data folder, and would never end. */
const STARTING = `
  const { existsSync, mkdirSync } = require('node:fs');
  while (existsSync(process.env.TMPDIR)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  mkdirSync(process.env.TMPDIR + '/data', { recursive: true });
  require('node:net').createServer().listen(0);
`;

/** A small run: a temporary root, a file in it, and a process that it started. */
const RUN = `
  const { makeTemporaryRoot } = await import(${JSON.stringify(new URL('temporary-root.ts', import.meta.url))});
  const { spawn } = await import('node:child_process');
  const { writeFileSync } = await import('node:fs');
  makeTemporaryRoot();
  writeFileSync(process.env.TMPDIR + '/left', '');
  spawn(process.execPath, ['-e', ${JSON.stringify(`console.log('');${STARTING}`)}], { stdio: 'inherit' });
  console.log(process.env.TMPDIR);
  setInterval(() => undefined, 1000);
`;

test('after a kill of the run, no folder and no process of it remains', async () => {
  const parent = path.join(temporaryFolder(), 'a folder');
  mkdirSync(parent);
  const running = spawn(process.execPath, ['--input-type=module', '-e', RUN], {
    env: { ...process.env, TMPDIR: parent },
  });
  // One line of the run, and an empty one of the process that it started.
  let out = '';
  while (out.split('\n').length < 3) out += String(await once(running.stdout, 'data'));
  const root = out.trim();
  expect([path.dirname(root), existsSync(path.join(root, 'left'))]).toEqual([parent, true]);
  // The process shares the run's output, so this event means that both have ended.
  const ended = once(running, 'close');
  running.kill('SIGKILL');
  await ended;
  while (existsSync(root)) await pause(20);
});
