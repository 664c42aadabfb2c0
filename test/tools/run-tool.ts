import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What became of a tool. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const fileOf = (tool: string) => fileURLToPath(new URL(`../../tools/${tool}.ts`, import.meta.url));

/**
 * Runs a tool to its end, as npm does but for npm's own output.
 * @param options.env added to this process's environment; undefined removes a variable
 * @param options.input what stands on its standard input
 */
export function runTool(
  tool: string,
  words: readonly string[],
  options: { env?: Record<string, string | undefined>; input?: string } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, PLANT_STORE_TOKEN: '', ...options.env };
    const child = execFile(
      process.execPath,
      [fileOf(tool), ...words],
      { env, maxBuffer: 2 ** 26 },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
    // A tool that ends without reading closes the pipe.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
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
 * @param options.stopAt press Ctrl-C when the tool has printed this
 * @returns all that the terminal was sent: both streams, with the escape sequences
 */
export async function runInTerminal(
  tool: string,
  words: readonly string[],
  options: { env?: Record<string, string>; stopAt?: string } = {},
): Promise<{ code: number; output: string }> {
  const quoted = [process.execPath, fileOf(tool), ...words].map((word) => `'${word}'`).join(' ');
  const { AWS_ENDPOINT_URL_DYNAMODB: _, NO_COLOR: __, FORCE_COLOR: ___, ...inherited } = process.env;
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
      child.stdin.write('\u0003');
    }
  });
  const [code, signal] = await once(child, 'close');
  return { code: code ?? signal, output };
}
