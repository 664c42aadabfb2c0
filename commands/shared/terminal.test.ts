import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import { startLocalProcess, temporaryFolder } from '../../test/support/local-process.ts';
import { hasTerminal, runHere, runInTerminal } from '../../test/support/run-command.ts';

test.skipIf(!hasTerminal)(
  'in a terminal, npm run import shows its progress until Ctrl-C, and what to do',
  async () => {
    const file = path.join(temporaryFolder(), 'a.csv');
    const rows = Array.from({ length: 1_000 }, (_, id) => `${id},${Object.values(LEAST)}\n`);
    writeFileSync(file, `id,${Object.keys(LEAST)}\n${rows.join('')}`);
    const data = path.join(temporaryFolder(), 'data');
    const server = await startLocalProcess(data);
    const { code, output } = await runInTerminal('import', [file, '--data', data], { stopAt: ' lines' });
    await server.end();
    // What the terminal shows at the end: the text after the escape sequence that clears a line.
    const screen = output.split('\n').map((line) => line.trimEnd().split('\r\u001b[2K').at(-1)?.trimEnd());
    expect(screen.filter(Boolean)).toEqual([
      expect.stringMatching(/^Into the running service at http:/),
      expect.stringMatching(/^(\^C)?The import was interrupted\. What is stored stays: .+ again\.$/),
    ]);
    expect(code).toBe(1);
  },
);

test('npm run verify does not wait for a token to be typed', async () => {
  Object.defineProperty(process.stdin, 'isTTY', { value: true, configurable: true });
  expect(await runHere('verify', ['--url', 'http://127.0.0.1:9'])).toEqual({
    code: 2,
    out: '',
    err: 'Put the access token into PLANT_STORE_TOKEN, or give it on standard input.\n',
  });
  Reflect.deleteProperty(process.stdin, 'isTTY');
});

const NAMES = globSync('*.ts', { cwd: path.join(import.meta.dirname, '..') });
test.each(NAMES.map((file) => path.parse(file).name))('npm run %s shows its help', async (name) => {
  const { code, out } = await runHere(name, ['-h']);
  expect(out).toMatch(/^Usage:\n {2}npm .+\n/);
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(code).toBe(0);
});
