import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { HOSTILE, OBEYED } from '../test/support/hostile-text.ts';
import { npmRun } from '../test/support/run-command.ts';
import { temporaryFolder } from '../test/support/temporary-root.ts';
import { oneLine, redraw, visible } from './print.ts';
import { progressLine } from './progress.ts';

describe('the module that prints', () => {
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

  test('progress is one line that fits the terminal, and is removed; in a pipe there is none', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const shownIn = (isTTY: boolean) => {
      for (const [name, value] of Object.entries({ isTTY, columns: 20 }))
        Object.defineProperty(process.stderr, name, { value, configurable: true });
      const show = progressLine();
      show(() => '1/2 a\u009b\nb, and what does not fit');
      show();
      return write.mock.calls.flat();
    };
    expect(shownIn(false)).toEqual([]);
    expect(shownIn(true)).toEqual(['\r\u001b[2K1/2 a\\u009b b, and what ', '\r\u001b[2K']);
    for (const name of ['isTTY', 'columns']) Reflect.deleteProperty(process.stderr, name);
  });

  test('says that a full disk has cut the output, and the exit code is 1', async () => {
    const into = path.join(temporaryFolder(), 'out');
    const { code, err } = await npmRun('guard', ['--help'], { limit: '-f 0', into });
    const cut =
      'standard output cannot be written to (EFBIG). Something that was printed is missing from it.\n';
    expect([code, err]).toEqual([1, cut]);
  });

  test('a line that is redrawn when nobody reads any more does not end the process', () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    redraw('1/2');
    // Throws without a listener.
    process.stderr.emit('error', new Error('EPIPE'));
  });

  test('no other TypeScript of cli/, checks/, commands/, operate/, local/ and infra/ writes to the terminal, but for the log of the service', () => {
    const root = path.join(import.meta.dirname, '..');
    const files = globSync('{cli,checks,commands,operate,local,infra}/**/*.ts', { cwd: root });
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
