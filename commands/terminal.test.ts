import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { startScriptedService } from '../client/test/scripted-service.ts';
import { bodyOf, LEAST, WHOLE } from '../contract/examples.ts';
import { idOf } from '../contract/key.ts';
import { withChecksum } from '../contract/tokens.ts';
import { expectShown, HOSTILE, HOSTILE_HEADER } from '../test/support/hostile-text.ts';
import { startLocalProcess } from '../test/support/local-process.ts';
import { csvFields } from '../test/support/properties.ts';
import { hasTerminal, runHere, runInTerminal } from '../test/support/run-command.ts';
import { temporaryFolder } from '../test/support/temporary-root.ts';

test.skipIf(!hasTerminal)(
  'in a terminal, npm run import shows its progress until Ctrl-C, and what to do',
  async () => {
    const file = path.join(temporaryFolder(), 'a.csv');
    const rows = Array.from({ length: 1_000 }, (_, id) => `${idOf(id)},${csvFields(LEAST)}\n`);
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

const plants = path.join(temporaryFolder(), 'a.ndjson');
writeFileSync(plants, `${bodyOf(1, WHOLE)}\n${bodyOf(2, WHOLE)}`);

test.each<[tool: string, args: string[], headers: Record<string, string>]>([
  ['verify', [], { 'content-type': HOSTILE_HEADER }],
  ['import', [plants], {}],
])('%s shows control characters of a response as escapes, on one line', async (tool, args, headers) => {
  const stored = { status: 200, body: JSON.stringify(WHOLE) };
  // A message that tries to be a line of its own.
  const body = JSON.stringify({ error: 50001, message: `${HOSTILE}\nforged 9` });
  const { url, close } = await startScriptedService(stored, { status: 400, body, headers });
  // With a valid format and checksum, which no service has issued.
  vi.stubEnv('PLANT_STORE_TOKEN', withChecksum(`plants_${'0'.repeat(43)}`));
  const { code, out, err } = await runHere(tool, [...args, '--url', url]);
  await close();
  expectShown(out + err);
  expect(code).toBe(1);
});

const COMMANDS = globSync('*.ts', { cwd: import.meta.dirname, exclude: ['*.test.ts'] });
test.each(COMMANDS.map((file) => path.parse(file).name))('npm run %s shows its help', async (name) => {
  const { code, out } = await runHere(name, ['-h']);
  expect(out).toMatch(/^Usage:\n {2}npm .+\n/);
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(code).toBe(0);
});
