import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { startLocalProcess } from '../support/local-process.ts';
import { npmRun } from '../support/run-command.ts';
import { itemOf } from '../support/stored-item.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { blocksOf } from './documents.ts';

const PAGE = 'docs/adopt-a-table.md';
const COMMANDS = blocksOf(PAGE, 'sh').join('').split('\n');

/** The words of each command that begins so. */
function wordsAfter(start: string): string[][] {
  return COMMANDS.filter((line) => line.startsWith(start)).map((line) =>
    line.slice(start.length).replace(/ \|.*/, '').split(' '),
  );
}

/** An item of another program, as step 1 of the page writes it. */
function itemLine(n: number): string {
  const { id: pk, ...attributes } = itemOf(String(n));
  return JSON.stringify({ pk, sk: { S: 'META' }, ...attributes, createdBy: { SS: ['a', 'b'] } });
}

test(`the commands of ${PAGE} refuse the items of another program, and then store them`, async () => {
  const [first = [], rehearsal = [], stage = []] = wordsAfter('npm run import -- ');
  const [exported = []] = wordsAfter('npm run plants -- export ready');
  const cwd = temporaryFolder();
  for (const name of ['items.ndjson', 'converted.ndjson'])
    writeFileSync(path.join(cwd, name), `${itemLine(1)}\n${itemLine(2)}\n`);
  const server = await startLocalProcess(path.join(cwd, '.plant-store'));
  const unknown = await npmRun('import', first, { cwd });
  const stored = await npmRun('import', rehearsal, { cwd });
  const items = [await server.item('1'), await server.item('2')];
  await npmRun('plants', ['export', `ready${exported[0]}`], { cwd });
  const again = await npmRun('import', stage.slice(0, 1), { cwd });
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
  expect([again.code, again.out]).toEqual([0, expect.stringMatching(/stored +2\n/)]);
});

const runs = isExhaustive('what the page on a table that exists does with jq');
const other = (...attributes: object[]) => Object.assign({ pk: { S: 'PLANT#007' } }, ...attributes);

test.runIf(runs)('the lines of an export to S3 are its items, also of a partition without any', () => {
  const cwd = temporaryFolder();
  mkdirSync(path.join(cwd, 'export/data'), { recursive: true });
  const lines = [itemLine(1), itemLine(2), itemLine(3)];
  const files = [lines.slice(0, 2), [], lines.slice(2)];
  for (const [n, items] of files.entries()) {
    const text = items.map((item) => `{"Item":${item}}\n`).join('');
    writeFileSync(path.join(cwd, `export/data/${n}.json.gz`), gzipSync(text));
  }
  writeFileSync(
    path.join(cwd, 'export/manifest-summary.json'),
    '{"itemCount":3,"outputFormat":"DYNAMODB_JSON"}',
  );
  const script = COMMANDS.filter((line) => /^(gunzip|jq .itemCount)/.test(line)).join('\n');
  const counts = execFileSync('bash', ['-ec', script], { cwd, encoding: 'utf8' });
  expect(counts).toMatch(/^3\n *3 items\.ndjson\n$/);
  expect(readFileSync(path.join(cwd, 'items.ndjson'), 'utf8')).toBe(`${lines.join('\n')}\n`);
});

/** What a filter makes of items. */
function filtered(filter: string, ...items: object[]): object[] {
  const input = items.map((item) => JSON.stringify(item)).join('\n');
  const lines = execFileSync('jq', ['-c', filter], { input, encoding: 'utf8' }).split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

test.runIf(runs)('the filters change what they are about, and nothing else', () => {
  const [all = ''] = blocksOf(PAGE, 'jq');
  const inside = { L: [{ M: { c: { NS: ['1', '2.50'] } } }, { S: 'SS' }] };
  expect(
    filtered(
      all,
      other({
        tags: { SS: ['a'] },
        ids: { BS: ['eA=='] },
        inside,
        photo: { B: 'eA==' },
        code: { N: '1.50' },
      }),
      other({ photo: { S: 'x' }, code: { S: 'y' }, SS: { S: 'z' }, no: { NULL: true }, is: { BOOL: true } }),
      other(),
    ),
  ).toEqual([
    other({
      tags: { L: [{ S: 'a' }] },
      ids: { L: [{ S: 'eA==' }] },
      inside: { L: [{ M: { c: { L: [{ N: '1' }, { N: '2.50' }] } } }, { S: 'SS' }] },
      photo: { S: 'eA==' },
      code: { S: '1.50' },
    }),
    other({ photo: { S: 'x' }, code: { S: 'y' }, SS: { S: 'z' }, no: { NULL: true }, is: { BOOL: true } }),
    other(),
  ]);
});

test.runIf(runs).each([
  ['.pk = {S: "\\(.pk[])-\\(.sk[])"}', { sk: { N: '5' } }, [{ pk: { S: 'PLANT#007-5' }, sk: { N: '5' } }]],
  ['.pk.S |= ltrimstr("PLANT#")', {}, [{ pk: { S: '007' } }]],
  ['.pk.S |= sub("^0+(?<d>.)"; .d)', { pk: { S: '0070' } }, [{ pk: { S: '70' } }]],
  ['.pk.S |= sub("^0+(?<d>.)"; .d)', { pk: { S: '000' } }, [{ pk: { S: '0' } }]],
  ['select(.pk.S | startswith("PLANT#"))', { pk: { S: 'X#7' } }, []],
  ['select(.pk.S | startswith("PLANT#"))', {}, [{ pk: { S: 'PLANT#007' } }]],
])('the page has the filter %s', (filter, item, made) => {
  expect(readFileSync(PAGE, 'utf8')).toContain(`\`${filter.replaceAll('|', '\\|')}\``);
  expect(filtered(filter, other(item))).toEqual(made);
});
