import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HOSTILE, OBEYED } from '../test/support/hostile-text.ts';
import { oneLine, print, redraw, visible } from './print.ts';

describe('the module that prints', () => {
  afterEach(() => void vi.restoreAllMocks());

  test('replaces each control character but the line break by its JSON escape', () => {
    expect(visible('a\u001b[31m\u009b\u007f\u202e\nä🌱')).toBe('a\\u001b[31m\\u009b\\u007f\\u202e\nä🌱');
    expect(JSON.parse(visible(JSON.stringify({ a: HOSTILE })))).toEqual({ a: HOSTILE });
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    expect(all.filter((each) => visible(each) !== each)).toEqual(all.filter((each) => OBEYED.test(each)));
  });

  test.each(['\n', '\r\n', '\u0085', '\u2028', '\u2029', '\v', '\f', ' \n\n '])(
    '%j does not start a line',
    (end) => {
      expect(oneLine(`a${end}b`)).toBe('a b');
    },
  );

  test('puts a long text on one line in a time that grows with its length', () => {
    const text = ' '.repeat(200_000);
    const start = performance.now();
    expect(oneLine(`${text}a\n${text}b`)).toBe(`${text}a b`);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test.each([
    [true, {}, '\u001b[31mproblem\u001b[39m  \\u001b[31m'],
    [false, { FORCE_COLOR: '1' }, 'problem  \\u001b[31m'],
  ])('colors own words in a terminal only: %j %j', (isTTY, env, expected) => {
    const unset = { FORCE_COLOR: undefined, NO_COLOR: undefined, CI: undefined, TERM: 'xterm' };
    for (const [name, value] of Object.entries({ ...unset, ...env })) vi.stubEnv(name, value);
    const before = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY');
    Object.defineProperty(process.stdout, 'isTTY', { value: isTTY, configurable: true });
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    print('problem  \u001b[31m', { red: /^problem/ });
    Object.defineProperty(process.stdout, 'isTTY', before ?? { value: undefined, configurable: true });
    vi.unstubAllEnvs();
    expect(info.mock.calls).toEqual([[expected]]);
  });

  test('a redrawn line stays one line', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    redraw('1/2  a\u009b\nb');
    expect(write.mock.calls).toEqual([['\r\u001b[2K1/2  a\\u009b b']]);
  });

  test('a line that is redrawn when nobody reads any more does not end the process', () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    redraw('1/2');
    // Throws without a listener.
    process.stderr.emit('error', new Error('EPIPE'));
  });

  test('no other module of cli/, commands/, local/ and infra/ writes to the terminal', () => {
    const root = path.join(import.meta.dirname, '..');
    const files = globSync('{cli,commands,local,infra}/**/*.ts', { cwd: root });
    const writers = files.filter(
      (file) =>
        // Tests and their parts, which no command runs.
        !/\.test\.ts$/.test(file) &&
        /console\.(?!aws)\w+\(|\bstd(out|err)\b\S*\.write\(/.test(
          readFileSync(path.join(root, file), 'utf8'),
        ),
    );
    expect(writers.sort()).toEqual([
      'cli/print.ts',
      // The function's log line; the next one prints it.
      'local/gateway.ts',
      'local/lambda-runtime.ts',
    ]);
  });
});
