/**
 * Runs commands one after the other in this process, each until it is refused what its work needs. Started with Node's
 * permission model (`--permission --allow-fs-read=*`), so no command can write a file, or start a process or a thread.
 * Its argument is a list of command lines as JSON: the file, then its arguments. Prints an {@link Attempt} for each, as JSON.
 */

import { pathToFileURL } from 'node:url';

/** The exit code of a command, 2 if its own parser refused it, and what it printed. */
export interface Attempt {
  readonly code: number;
  readonly said: string;
}

const lines: string[][] = JSON.parse(process.argv[2] ?? '');
const attempts: Attempt[] = [];
let said = '';
const collect = (text: string): void => {
  said += `${text}\n`;
};
Object.assign(console, { info: collect, error: collect });
// Without a terminal, a command that asks for confirmation requires --yes.
process.stdin.isTTY = true;
const { exit } = process;
process.exit = (code) => {
  throw { code };
};
for (const [file = '', ...args] of lines) {
  said = '';
  process.argv = [process.execPath, file, ...args];
  // With a query of its own, the module is evaluated again.
  const code = await import(`${pathToFileURL(file).href}?${attempts.length}`).then(
    () => 0,
    (error) => error.code,
  );
  attempts.push({ code, said });
}
process.stdout.write(JSON.stringify(attempts), () => exit(0));
