import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Ended, run } from '../support/local-process.ts';

/** Runs a tool to its end, without a token in its environment unless `options` gives one. */
export function runTool(
  tool: string,
  words: readonly string[],
  options: Parameters<typeof run>[2] = {},
): Promise<Ended> {
  return run(`tools/${tool}.ts`, words, { ...options, env: { PLANT_STORE_TOKEN: '', ...options.env } });
}

/** Whether util-linux's script(1) is here, which gives a tool a terminal. With REQUIRE_TERMINAL=1, as in CI, it has to be. */
export const hasTerminal =
  /util-linux/.test(String(spawnSync('script', ['--version']).stdout)) ||
  process.env.REQUIRE_TERMINAL === '1';

if (!hasTerminal) {
  // Straight to the stream: what a skipped test prints to the console is not shown.
  process.stderr.write('\nSkipped test/tools/terminal.test.ts: there is no script(1) of util-linux here.\n');
}

/**
 * Runs a tool in a pseudo-terminal of 100 columns.
 * @param options.stopAt press Ctrl-C when the tool has printed this, or `type` something else
 * @returns all that the terminal was sent: both streams, with the escape sequences
 */
export async function runInTerminal(
  tool: string,
  words: readonly string[],
  options: { env?: NodeJS.ProcessEnv; stopAt?: string; type?: string } = {},
): Promise<{ code: number; output: string }> {
  const file = fileURLToPath(new URL(`../../tools/${tool}.ts`, import.meta.url));
  const quoted = [process.execPath, file, ...words].map((word) => `'${word}'`).join(' ');
  // Node uses no colours where the variable CI is set.
  const {
    AWS_ENDPOINT_URL_DYNAMODB: _,
    NO_COLOR: __,
    FORCE_COLOR: ___,
    CI: ____,
    ...inherited
  } = process.env;
  const child = spawn('script', ['-qec', `stty cols 100; exec ${quoted}`, '/dev/null'], {
    env: { ...inherited, TERM: 'xterm', ...options.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  let isStopped = false;
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (options.stopAt && output.includes(options.stopAt) && !isStopped) {
      isStopped = true;
      child.stdin.write(options.type ?? '\u0003');
    }
  });
  const [code, signal] = await once(child, 'close');
  return { code: code ?? signal, output };
}
