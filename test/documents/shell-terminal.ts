import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where a program is, or an empty text. It starts no process: in a worker with a gigabyte, a fork takes 30 ms of CPU time. */
export function locationOf(program: string): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file)) ?? '';
}

/** How long a shell may take, in milliseconds. A stand-in ends at once. */
const PATIENCE_MS = 15_000;
/** What the terminal shows when it takes the next shell. */
const NEXT = 'NEXT=';

/** A terminal of 24 rows, in which one shell runs after the other: one script(1) for all documents saves a fork for each. */
export type ShellTerminal = ReturnType<typeof openTerminal>;

/** Opens a terminal. @param command the shell, as the terminal starts it, each time in another folder */
export function openTerminal(command: string, locale: string) {
  const loop = `while stty sane rows 24 cols 80; printf '${NEXT}\\n'; read -r base
do cd "$base/home" && HOME=$PWD FIXTURES=$base/fixtures CALLS=$base/calls ${command}; done`;
  const script = spawn(locationOf('script'), ['-qec', loop, '/dev/null'], {
    env: { PATH: process.env.PATH, LANG: locale, TERM: 'dumb', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(script, 'close');
  let screen = '';
  script.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  script.stdin.on('error', () => undefined);
  /** Waits until the terminal shows something. @returns whether it does */
  const until = async (shown: RegExp, patience = PATIENCE_MS) => {
    const signal = AbortSignal.timeout(patience);
    while (!shown.test(screen) && !signal.aborted)
      await once(script.stdout, 'data', { signal }).catch(() => undefined);
    return shown.test(screen);
  };
  return {
    /** Forgets what it shows, and types a text. */
    type: (text: string) => {
      screen = '';
      script.stdin.write(text);
    },
    /** Types a text more. */
    typeMore: (text: string) => script.stdin.write(text),
    until,
    screen: () => screen,
    /** Starts a shell. @param base a folder with `home`, `fixtures` and `calls` */
    async start(base: string) {
      await until(RegExp(NEXT));
      script.stdin.write(`${base}\r`);
    },
    /** Waits until the shell has ended. @returns whether it has */
    hasEnded: (patience?: number) => until(RegExp(NEXT), patience),
    /** Ends it while it has no shell. */
    end: () => {
      script.stdin.write('\u0004');
      return ended;
    },
    /** Ends it with a shell that waits for something else, which takes script(1) two seconds. */
    kill: () => {
      script.kill();
      return ended;
    },
  };
}
