import { execFile, spawn, spawnSync } from 'node:child_process';
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
const hasBash = isThere(spawnSync('bash', ['--version']).status === 0, {
  tests: 'the start script in the shell of Lambda',
  why: 'there is no bash here.',
  required: process.env.REQUIRE_ALL === '1',
});

const FLAG = '--expose-gc';
/** What stands in its place. */
const ROOM = '--min-semi-space-size=4';

/** Words that a shell may change, and one that begins like the flag. */
const WORDS = ['a b', '', '*', '$HOME', '"', "'", '\\', 'line\nbreak', '--', '-n', '(', `${FLAG}=1`];

/** The script as its first line starts it, and in the shell of Lambda's Amazon Linux, where /bin/sh is bash. */
const WAYS: [name: string, command: string[]][] = [
  ['a program', [SCRIPT]],
  ...(hasBash ? [['a file of bash', ['bash', '--posix', SCRIPT]] as [string, string[]]] : []),
];

/** Runs the script. @returns its standard output */
async function start([file = '', ...words]: string[], args: string[]): Promise<string> {
  return (await promisify(execFile)(file, [...words, ...args])).stdout;
}

describe.runIf(isPosix).each(WAYS)('the start script, run as %s', (_, way) => {
  test('passes every argument on, with room in the place of the flag', async () => {
    const printed = await start(way, ['/usr/bin/printf', '<%s>', FLAG, ...WORDS, FLAG]);
    expect(printed).toBe([ROOM, ...WORDS, ROOM].map((word) => `<${word}>`).join(''));
  });

  test('starts Node without the flag', async () => {
    expect(await start(way, [process.execPath, FLAG, '--print', 'typeof gc'])).toBe('undefined\n');
  });

  test('becomes the program: the same process, and its exit code', async () => {
    const [file = '', ...words] = way;
    const child = spawn(file, [...words, '/bin/sh', '-c', 'echo $$; exit 7']);
    const exit = new Promise((resolve) => child.on('exit', resolve));
    expect(await text(child.stdout)).toBe(`${child.pid}\n`);
    expect(await exit).toBe(7);
  });
});
