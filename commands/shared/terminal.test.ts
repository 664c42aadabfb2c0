import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bodyOf, LEAST, WHOLE } from '../../contract/examples.ts';
import { formatToken } from '../../lambda/store/token-format.ts';
import { listen } from '../../test/support/listen.ts';
import { startLocalProcess, temporaryFolder } from '../../test/support/local-process.ts';
import { hasTerminal, runHere, runInTerminal } from '../../test/support/run-command.ts';

/** The escape sequence that clears a line. */
const REMOVED_LINE = '\r\u001b[2K';

/** What the terminal shows at the end: the last text of each line. */
function screen(output: string): string[] {
  return output.split('\n').map((line) => line.trimEnd().split(REMOVED_LINE).at(-1)?.trimEnd() ?? '');
}

describe.skipIf(!hasTerminal).concurrent('in a terminal', () => {
  test('npm run verify shows a progress bar that fits the terminal, and ends with its verdict', async () => {
    // It accepts one plant, and then closes each connection, after more than the shortest time between two bars.
    const server = createServer();
    server.once('request', (_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(WHOLE));
      server.on('request', ({ socket }) => setTimeout(() => socket.destroy(), 100));
    });
    const { code, output } = await runInTerminal('verify', ['--url', await listen(server)], {
      env: { PLANT_STORE_TOKEN: formatToken(new Uint8Array(32)) },
    });
    server.close();
    const bars = output.split(REMOVED_LINE).filter((each) => each.includes('░'));
    expect(bars.length).toBeGreaterThan(1);
    expect(stripVTControlCharacters(bars[0] ?? '')).toMatch(/^[█░]{30} +\d+\/\d+ {2}/);
    for (const bar of bars) expect(stripVTControlCharacters(bar).length).toBeLessThan(100);
    expect(screen(output).filter(Boolean).at(-1)).toMatch(
      / stopped responding: \d+ rules held, \d+ did not hold, \d+ not judged \(\d+: .+\); retries: \d+\.$/,
    );
    expect(code).toBe(1);
  });

  test('npm run verify does not wait for a token to be typed', async () => {
    const start = performance.now();
    const env = { PLANT_STORE_TOKEN: '' };
    const { code, output } = await runInTerminal('verify', ['--url', 'http://127.0.0.1:9'], { env });
    expect(performance.now() - start).toBeLessThan(25_000);
    expect(output).toBe('Put the access token into PLANT_STORE_TOKEN, or give it on standard input.\r\n');
    expect(code).toBe(2);
  });

  test('npm run plants -- export shows plants as they are, and their count only where they go elsewhere', async () => {
    const data = path.join(temporaryFolder(), 'data');
    const server = await startLocalProcess(data);
    await server.post(bodyOf(7));
    const shown = await runInTerminal('plants', ['export', '--data', data]);
    const file = path.join(temporaryFolder(), 'a.ndjson');
    const written = await runInTerminal('plants', ['export', '--data', data], { into: file });
    await server.end();
    expect(shown).toEqual({
      code: 0,
      output: expect.stringMatching(/^\{"id":7,[^\n]+\}\r\nPlants in standard output: 1\.[^\n]+\n$/),
    });
    expect(written.output).toContain(`${REMOVED_LINE}1 plants`);
    expect(readFileSync(file, 'utf8')).toMatch(/^\{"id":7,.+\}\n$/);
  });

  test('npm run import draws a bar until Ctrl-C, and says what to do', async () => {
    const file = path.join(temporaryFolder(), 'a.csv');
    const rows = Array.from({ length: 1_000 }, (_, id) => `${id},${Object.values(LEAST)}\n`);
    writeFileSync(file, `id,${Object.keys(LEAST)}\n${rows.join('')}`);
    const data = path.join(temporaryFolder(), 'data');
    const server = await startLocalProcess(data);
    const { code, output } = await runInTerminal('import', [file, '--data', data], { stopAt: ' lines' });
    await server.end();
    expect(stripVTControlCharacters(output)).toMatch(/[█░]{30} {2}\d+ % {2}\d+ lines/);
    expect(screen(output).filter(Boolean)).toEqual([
      expect.stringMatching(/^Into the running service at http:/),
      expect.stringMatching(/^(\^C)?The import was interrupted\. What is stored stays: .+ again\.$/),
    ]);
    expect(code).toBe(1);
  });
});

const NAMES = globSync('*.ts', { cwd: path.join(import.meta.dirname, '..') });
test.each(NAMES.map((file) => path.parse(file).name))('npm run %s shows its help', async (name) => {
  const { code, out } = await runHere(name, ['-h']);
  expect(out).toMatch(/^Usage:\n {2}npm .+\n/);
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(code).toBe(0);
});
