import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect, vi } from 'vitest';
import { type Responses, withAws } from './aws-stand-in.ts';
import { commandFile, type Ended, spawnCommand } from './local-process.ts';
import { isThere } from './needs.ts';

/** Runs a command to its end in a process of its own. */
export const npmRun = (...command: Parameters<typeof spawnCommand>) => spawnCommand(...command).ended;

let runs = 0;

/**
 * Runs a command to its end in this process, which takes a tenth of the time of one of its own; not for signals and terminals,
 * and not two at once.
 * @param input its standard input, if it reads it
 */
export async function runHere(name: string, args: readonly string[], input?: string): Promise<Ended> {
  const printed = { out: '', err: '' };
  const collect = (stream: 'out' | 'err', text: unknown) => {
    printed[stream] += text;
  };
  const { argv } = process;
  const umask = process.umask();
  const spies = [
    vi.spyOn(console, 'info').mockImplementation((line) => collect('out', `${line}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line) => collect('err', `${line}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation((text, ...[done]: unknown[]) => {
      collect('out', text);
      if (typeof done === 'function') done();
      return true;
    }),
    ...(input === undefined
      ? []
      : [vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from(input) as never)]),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      // Ends the command here.
      throw { exit: Number(code) };
    }),
  ];
  process.argv = [process.execPath, commandFile(name), ...args];
  runs += 1;
  try {
    // With a query of its own, the module is evaluated again.
    await import(/* @vite-ignore */ `${pathToFileURL(commandFile(name)).href}?run=${runs}`);
    return { code: Number(process.exitCode ?? 0), ...printed };
  } catch (error) {
    const { exit } = error as { exit?: number };
    if (exit === undefined) throw error;
    return { code: exit, ...printed };
  } finally {
    process.argv = argv;
    process.exitCode = undefined;
    process.umask(umask);
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs a command here, with a stand-in for AWS; not in concurrent tests. @returns also its calls of AWS */
export function runWithAws(name: string, args: readonly string[], responses: Responses) {
  return withAws(responses, async (calls, inputs) => ({
    ...(await runHere(name, args)),
    calls,
    inputs,
  }));
}

/** Runs a command that must fail, here. Expects one line on standard error that does not repeat a token. */
export async function expectRefusal(
  name: string,
  args: readonly string[],
  expected: { code: 1 | 2; message: string | RegExp },
  options?: { input: string },
): Promise<void> {
  const { code, out, err } = await runHere(name, args, options?.input);
  const line = expect.stringMatching(/^[^\n]+\n$/);
  expect({ code, out, err }).toEqual({ code: expected.code, out: '', err: line });
  expect(err).toMatch(expected.message);
  expect(err).not.toContain('plants_0');
}

/** Whether script(1) of util-linux is installed, which gives a command a terminal. REQUIRE_ALL=1, as in CI, requires it. */
export const hasTerminal = isThere(/util-linux/.test(String(spawnSync('script', ['--version']).stdout)), {
  tests: 'the tests in a terminal',
  why: 'there is no script(1) of util-linux here.',
  required: process.env.REQUIRE_ALL === '1',
});

/**
 * Runs a command in a pseudo-terminal of 100 columns.
 * @param options.stopAt press Ctrl-C when the command has printed this, or type `options.type`
 * @returns both streams as one, with the escape sequences
 */
export async function runInTerminal(
  name: string,
  words: readonly string[],
  options: { stopAt: string; type?: string },
): Promise<{ code: number; output: string }> {
  const quoted = [process.execPath, commandFile(name), ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols 100; exec ${quoted}`, '/dev/null'], {
    env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: undefined, PLANT_STORE_TOKEN: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  let isStopped = false;
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (output.includes(options.stopAt) && !isStopped) {
      isStopped = true;
      child.stdin.write(options.type ?? '\u0003');
    }
  });
  const [code, signal] = await once(child, 'close');
  return { code: code ?? signal, output };
}
