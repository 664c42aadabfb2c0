import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mustEnd } from '../../test/support/must-end.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';

const PROGRAM = `
  const { startOwnServer } = await import(process.argv[1]);
  console.log((await startOwnServer(process.argv[2])).url);
`;

/** Whether there is a service at an address. */
const isThere = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

test('a command’s own service ends with the command, even after kill -9', async () => {
  const module = new URL('own-server.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--eval', PROGRAM, module, temporaryFolder()]);
  const url = String(await mustEnd(once(child.stdout, 'data'), () => 'the start of the service')).trim();
  expect(await isThere(url)).toBe(true);
  child.kill('SIGKILL');
  const gone = async () => {
    while (await isThere(url)) await pause(100);
  };
  await mustEnd(gone(), () => `the service at ${url}`);
});
