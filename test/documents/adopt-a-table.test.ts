import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import { startLocalProcess } from '../support/local-process.ts';
import { npmRun } from '../support/run-command.ts';
import { itemOf } from '../support/stored-item.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { blocksOf } from './documents.ts';

/** An item of another program, as step 1 of the page writes it. */
function itemLine(n: number): string {
  const { id: pk, ...attributes } = itemOf(String(n));
  return JSON.stringify({ pk, sk: { S: 'META' }, ...attributes, createdBy: { SS: ['a', 'b'] } });
}

test('the commands of docs/adopt-a-table.md refuse the items of another program, and then store them', async () => {
  const commands = blocksOf('docs/adopt-a-table.md', 'sh').join('').split('\n');
  const [first, rehearsal] = commands.flatMap((line) => {
    const [, words] = /^npm run import -- ([^|]*)/.exec(line) ?? [];
    return words === undefined ? [] : [words.trim().split(' ')];
  });
  const cwd = temporaryFolder();
  const file = path.join(cwd, 'items.ndjson');
  writeFileSync(file, `${itemLine(1)}\n${itemLine(2)}\n`);
  const server = await startLocalProcess(path.join(cwd, '.plant-store'));
  const unknown = await npmRun('import', first ?? [], { cwd });
  rmSync(`${file}.refused.ndjson`);
  const stored = await npmRun('import', rehearsal ?? [], { cwd });
  const items = [await server.item('1'), await server.item('2')];
  await server.end();
  expect(unknown.out).toContain('"pk" in 2 lines, "sk" in 2 lines, "createdBy" in 2 lines.');
  expect(items).toEqual([
    { id: '1', ...LEAST },
    { id: '2', ...LEAST },
  ]);
  expect([stored.code, stored.out]).toEqual([
    0,
    expect.stringContaining('Left out: "sk" in 2 lines, "createdBy" in 2 lines.'),
  ]);
});
