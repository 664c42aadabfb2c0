import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { type Responses, startAws } from './aws-stand-in.ts';
import { commandFile, type Ended, startCommand } from './local-process.ts';
import { mustEnd } from './must-end.ts';
import { isThere } from './needs.ts';

/**
 * Runs a command to its end, without a token in its environment unless `options` gives one.
 * @param name the name of its module
 * @param options.cwd the folder in which it runs
 * @param options.input its standard input
 */
export async function npmRun(
  name: string,
  args: readonly string[],
  { env, cwd, input }: { env?: NodeJS.ProcessEnv; cwd?: string; input?: string } = {},
): Promise<Ended & { readonly all: string }> {
  const { child, ended, output } = startCommand(name, args, { env: { PLANT_STORE_TOKEN: '', ...env }, cwd });
  child.stdin.on('error', () => undefined).end(input);
  const what = () => `npm run ${name} -- ${args.join(' ')}, which printed ${output()}`;
  return { ...(await mustEnd(ended, what, () => child.kill('SIGKILL'))), all: output() };
}

/** Runs a command to its end, with a stand-in for AWS. @returns also its calls of AWS */
export async function runWithAws(name: string, args: readonly string[], responses: Responses) {
  const { env, calls, inputs, close } = await startAws(responses);
  const ended = await npmRun(name, args, { env });
  close();
  return { ...ended, calls, inputs };
}

/** Runs a command that must fail. Expects one line on standard error that does not repeat a token. */
export async function expectRefusal(
  name: string,
  args: readonly string[],
  expected: { code: 1 | 2; message: string | RegExp },
  options: Parameters<typeof npmRun>[2] = {},
): Promise<void> {
  const { code, out, err } = await npmRun(name, args, options);
  expect({ code, out, err }).toEqual({
    code: expected.code,
    out: '',
    err: expect.stringMatching(/^[^\n]+\n$/),
  });
  expect(err).toMatch(expected.message);
  expect(err).not.toContain('plants_0');
}

/** Whether script(1) of util-linux is installed, which gives a command a terminal. REQUIRE_TERMINAL=1, as in CI, requires it. */
export const hasTerminal = isThere(/util-linux/.test(String(spawnSync('script', ['--version']).stdout)), {
  tests: 'the tests in a terminal',
  why: 'there is no script(1) of util-linux here.',
  required: process.env.REQUIRE_TERMINAL === '1',
});

/**
 * Runs a command in a pseudo-terminal of 100 columns.
 * @param options.stopAt press Ctrl-C when the command has printed this, or type `options.type`
 * @param options.closeAt close the terminal when the command has printed this
 * @returns both streams as one, with the escape sequences
 */
export async function runInTerminal(
  name: string,
  words: readonly string[],
  options: { env?: NodeJS.ProcessEnv; stopAt?: string; type?: string; closeAt?: string } = {},
): Promise<{ code: number; output: string }> {
  const quoted = [process.execPath, commandFile(name), ...words].map((word) => `'${word}'`).join(' ');
  // Node uses no colors where the variable CI is set.
  const unset = {
    AWS_ENDPOINT_URL_DYNAMODB: undefined,
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
    CI: undefined,
  };
  const NODE_COMPILE_CACHE = path.join(tmpdir(), 'compile-cache');
  const child = spawn('script', ['-qec', `stty cols 100; exec ${quoted}`, '/dev/null'], {
    env: { ...process.env, ...unset, NODE_COMPILE_CACHE, TERM: 'xterm', ...options.env },
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
    if (options.closeAt && output.includes(options.closeAt)) child.kill('SIGKILL');
  });
  const [code, signal] = await once(child, 'close');
  return { code: code ?? signal, output };
}
