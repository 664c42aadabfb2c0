import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isThere } from '../support/needs.ts';

const SCRIPT = path.join(import.meta.dirname, '../../lambda/start-script.sh');
const isPosix = isThere(process.platform !== 'win32', {
  tests: 'the start script',
  why: 'it runs in Lambda, and Windows has no shell for it',
});

const FLAG = '--expose-gc';
/** What stands in its place. */
const ROOM = '--min-semi-space-size=4';

/** The script as its first line starts it, and in the shell of Lambda's Amazon Linux, where /bin/sh is bash. */
const WAYS: [name: string, command: string[]][] = [
  ['a program', [SCRIPT]],
  ['a file of bash', ['bash', '--posix', SCRIPT]],
];

/** Runs the script. @returns its standard output */
async function start([file = '', ...words]: string[], args: string[], NODE_OPTIONS = ''): Promise<string> {
  const { PATH } = process.env;
  const options = { env: { PATH, NODE_OPTIONS } };
  return (await promisify(execFile)(file, [...words, ...args], options)).stdout;
}

describe.runIf(isPosix).each(WAYS)('the start script, run as %s', (_, way) => {
  test.each<[given: string[], passed: string[]]>([
    [
      [FLAG, '--max-http-header-size', '81920', '/var/runtime/index.mjs'],
      [ROOM, '--max-http-header-size', '81920', '/var/runtime/index.mjs'],
    ],
    [
      ['a', FLAG, 'b', 'c', FLAG],
      ['a', ROOM, 'b', 'c', ROOM],
    ],
    [
      ['two words', FLAG, '', ' ', '*', '$HOME', '"', "'", '\\', 'line\nbreak', '--', '-n', '!', '(', '='],
      ['two words', ROOM, '', ' ', '*', '$HOME', '"', "'", '\\', 'line\nbreak', '--', '-n', '!', '(', '='],
    ],
    [
      [`${FLAG}=1`, `x${FLAG}`],
      [`${FLAG}=1`, `x${FLAG}`],
    ],
    [[FLAG], [ROOM]],
    [[], []],
  ])('passes %j on as %j', async (given, passed) => {
    const printed = await start(way, ['/usr/bin/printf', '<%s>', ...given]);
    expect(printed).toBe(passed.length === 0 ? '<>' : passed.map((each) => `<${each}>`).join(''));
  });

  test('starts Node without the flag, and leaves NODE_OPTIONS alone', async () => {
    const node = [process.execPath, FLAG, '--print', 'typeof gc'];
    expect(await start(way, node)).toBe('undefined\n');
    expect(await start(way, node, FLAG)).toBe('function\n');
  });

  test('becomes the program: the same process, and its exit code', async () => {
    const [file = '', ...words] = way;
    const child = spawn(file, [...words, '/bin/sh', '-c', 'echo $$; exit 7']);
    const exit = new Promise((resolve) => child.on('exit', resolve));
    expect(await text(child.stdout)).toBe(`${child.pid}\n`);
    expect(await exit).toBe(7);
  });
});
