import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/local-process.ts';
import { npmRun } from '../../test/support/run-command.ts';
import { compare, review } from './report.ts';
import { readSources } from './sources.ts';
import { type Sources, surfaceOf } from './surface.ts';

const sources = await readSources();
const surface = surfaceOf(sources);

/** A change of a source's text, which must occur once. */
type Change = readonly [
  source: 'openapi' | 'settings' | 'declarations' | 'log' | 'runbook',
  from: string,
  to: string,
];

function changed(...[source, from, to]: Change): string[] {
  const isText = source === 'declarations' || source === 'log' || source === 'runbook';
  const text = isText ? sources[source] : JSON.stringify(sources[source]);
  expect(text.includes(from), from).toBe(true);
  const after = text.replace(from, () => to);
  return surfaceOf({ ...sources, [source]: isText ? after : JSON.parse(after) } as Sources);
}

test.each([
  'contract > components > schemas > NewPlant > properties > id > format: int64',
  'contract > components > schemas > NewPlant > required: name',
  'contract > error 40901: the id belongs to a different plant; nothing was overwritten; again: no',
  'client > interface NewPlant > readonly id: bigint | number;',
  'client > type PublishedErrorNumber = 40901',
  'client > package > engines > node: >=20',
  'service > log > message.outcome (function): repeated',
  'service > log > fault deadline: 50301, 50401',
  'service > settings > properties > canaryMinutes > enum: 30',
  'version > contract: 1.0.0',
])('the surface has %s', (line) => {
  expect(surface).toContain(line);
});

describe('may break somebody', () => {
  test.each<[what: string, change: Change, ...refused: (string | RegExp)[]]>([
    ['a narrower id', ['openapi', '"format":"int64"', '"format":"int32"'], /id > format: int64$/],
    ['a limit', ['openapi', '"format":"int64"', '"minimum":0,"format":"int64"'], /> id > minimum: 0$/],
    [
      'a property that must be sent',
      ['openapi', '"required":["id"', '"required":["tag","id"'],
      /NewPlant > required: tag$/,
    ],
    [
      'another name of the operation',
      ['openapi', '"createPlant"', '"addPlant"'],
      /operationId: createPlant$/,
    ],
    ['an error that is gone', ['openapi', '| 40901 |', '| herbs |'], /^contract > error 40901: /],
    [
      'a narrower type',
      ['declarations', 'id: bigint | number', 'id: bigint'],
      /NewPlant > readonly id: bigint \| number;$/,
    ],
    ['an export that is gone', ['declarations', 'type PlantStore, ', ''], 'client > export PlantStore'],
    [
      'a field with another name',
      ['log', '| `message.duration` |', '| `message.ms` |'],
      'service > log > message.duration (function)',
    ],
    [
      'a setting that is gone',
      ['settings', '"startScript":', '"starter":'],
      /> startScript > type: boolean$/,
    ],
    [
      'a value that is refused',
      ['settings', '"enum":[10,15,30]', '"enum":[10,15]'],
      /canaryMinutes > enum: 30$/,
    ],
  ])('%s', (_, change, ...refused) => {
    expect(compare(surface, changed(...change)).refused).toEqual(
      refused.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
    );
  });

  test('a case with another request, although its name is the same', () => {
    const [first, ...others] = sources.cases;
    const cases = [{ ...first, body: Buffer.from('{}') }, ...others] as typeof sources.cases;
    const { removed, refused } = compare(surface, surfaceOf({ ...sources, cases }));
    expect(refused).toEqual(removed);
    expect(removed).toEqual([expect.stringContaining(`contract > case ${first?.name}: 200 `)]);
  });
});

test.each<[what: string, change: Change]>([
  [
    'a property that may be sent',
    ['openapi', '"properties":{"id":', '"properties":{"light":{"type":"string"},"id":'],
  ],
  ['a header of a response', ['openapi', '"headers":{', '"headers":{"Age":{"schema":{"type":"integer"}},']],
  ['a new error', ['openapi', '| 40901 |', '| 40302 | a new one | no |\\n| 40901 |']],
  [
    'a new option of the client',
    ['declarations', 'readonly maxAttempts?', 'readonly agent?: string;\n    readonly maxAttempts?'],
  ],
  [
    'a new field of the log',
    ['log', '| `message.error` |', '| `message.attempts` | function | how many |\n| `message.error` |'],
  ],
  ['a new value of a setting', ['settings', '"enum":[10,15,30]', '"enum":[10,15,30,60]']],
])('is for the reviewer to judge: %s', (_, change) => {
  const { removed, added, refused } = compare(surface, changed(...change));
  expect({ removed, refused }).toEqual({ removed: [], refused: [] });
  expect(added.length).toBeGreaterThan(0);
});

test.each<[what: string, change: Change]>([
  ['a better description', ['openapi', '"description":"', '"description":"Better. ']],
  [
    'a comment in the client',
    ['declarations', 'export interface Plant {', '/** Better. */\nexport interface Plant {'],
  ],
  ['a function that is not exported', ['declarations', 'statusOf(error: number)', 'statusOf(error: string)']],
])('is no change: %s', (_, change) => {
  expect(changed(...change)).toEqual(surface);
});

test('a new major version lets the changes of its own part pass', () => {
  const after = surface
    .filter((line) => !line.includes('40901'))
    .map((line) => line.replace('version > client: 1.0.0', 'version > client: 2.0.0'));
  const { removed, refused } = compare(surface, after);
  expect(removed.some((line) => line.startsWith('client > '))).toBe(true);
  expect(refused).toEqual(removed.filter((line) => line.startsWith('contract > ')));
  const minor = after.map((line) => line.replace('client: 2.0.0', 'client: 1.9.0'));
  expect(compare(surface, minor).refused).toContain('client > type PublishedErrorNumber = 40901');
});

test.each<[what: string, change: Change, message: string]>([
  ['no table of errors', ['openapi', '| 40000 |', '| x |'], 'openapi.yaml has no table of errors.'],
  [
    'two declarations of a name',
    ['declarations', 'export interface Plant {', 'export interface NewPlant {'],
    'The client declares NewPlant twice.',
  ],
  [
    'a section without its name',
    ['log', "## The log's fields", '## Fields'],
    "docs/log.md has no section The log's fields.",
  ],
  [
    'a section of the runbook without its name',
    ['runbook', '## The values of fault', '## Faults'],
    'The runbook has no section The values of fault.',
  ],
])('what is not written as expected is refused: %s', (what, change, message) => {
  const rows = (text: string) => text.replaceAll(/\| (?=\d{5} \|)/g, '| x');
  const document = structuredClone(sources.openapi);
  document.tags[0].description = rows(document.tags[0].description);
  const read = what.startsWith('no table')
    ? () => surfaceOf({ ...sources, openapi: document })
    : () => changed(...change);
  expect(read).toThrow(message);
});

test('a report is written once nothing in it is refused; the first one may say anything', () => {
  const file = path.join(temporaryFolder(), 'surface.txt');
  const [one, two] = ['contract > error 40001: a; again: no', 'contract > error 40002: b; again: no'];
  const end = 'so that the change is reviewed.';
  expect(review([one], false, file)).toEqual({
    lines: [`+ ${one}`, `Run npm run contract -- --write and commit contract/surface.txt, ${end}`],
    isUpToDate: false,
  });
  expect(review([one], true, file)).toEqual({
    lines: [`+ ${one}`, `contract/surface.txt is written. Commit it, ${end}`],
    isUpToDate: true,
  });
  expect(review([one, two], true, file).isUpToDate).toBe(true);
  expect(review([two], true, file)).toEqual({
    lines: [`- ${one}   (breaking)`, 'Refused: see "What a release promises" in CONTRIBUTING.md.'],
    isUpToDate: false,
  });
  expect(readFileSync(file, 'utf8')).toBe(`${one}\n${two}\n`);
});

test('contract/surface.txt is up to date: npm run contract -- --write writes it', async () => {
  const result = await npmRun('contract', []);
  expect(result).toMatchObject({ code: 0, out: 'contract/surface.txt is up to date.\n', err: '' });
});
