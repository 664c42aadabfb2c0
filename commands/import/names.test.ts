import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { FERN, startScriptedService } from '../../client/test/scripted-service.ts';
import { LEAST, type Plant, REQUIRED } from '../../contract/examples.ts';
import { idJson } from '../../contract/key.ts';
import { withChecksum } from '../../contract/tokens.ts';
import { PROPERTY_NAMES } from '../../lambda/plant.ts';
import { csvFields } from '../../test/support/properties.ts';
import { expectRefusal, runHere } from '../../test/support/run-command.ts';
import { itemOf } from '../../test/support/stored-item.ts';
import { temporaryFile } from '../../test/support/temporary-root.ts';

/** Imports lines into a service that stores all. @returns also what it was sent */
async function imported(file: string, lines: readonly string[], ...words: string[]) {
  const service = await startScriptedService(FERN);
  const name = temporaryFile(file, `${lines.join('\n')}\n`);
  vi.stubEnv('PLANT_STORE_TOKEN', withChecksum(`plants_${'0'.repeat(43)}`));
  const ended = await runHere('import', [name, '--url', service.url, '--parallel', '1', ...words]);
  vi.unstubAllEnvs();
  await service.close();
  return { ...ended, name, sent: service.requests.map(({ body }) => JSON.parse(body)) };
}

const SET = { SS: ['a', 'b'] };
/** A line that is an item of another program. */
const itemLine = (id: number, plant: Plant, more: object = {}) => {
  const { id: pk, ...attributes } = itemOf(String(id), plant);
  return JSON.stringify({ pk, sk: { S: 'A#1' }, ...attributes, ...more });
};
const sent = (id: number, plant: Plant) => ({ id: JSON.parse(idJson(id)), ...plant });

test('items of another program are imported by other names, and what was left out is counted', async () => {
  const lines = [
    `{"Item":${itemLine(1, LEAST, { sets: SET })}}`,
    itemLine(2, LEAST, { sets: SET, 'a.b': { B: 'eA==' }, refused: { S: 'x' } }),
    `{"pk":${idJson(3)},"sk":"x",${JSON.stringify(LEAST).slice(1)}`,
  ];
  const words = ['--rename', 'pk=id', '--ignore', 'sk,a.b', '--ignore', 'sets,refused'];
  const { code, out, err, sent: requests } = await imported('a.ndjson', lines, ...words);
  expect([code, err, requests]).toEqual([0, '', [sent(1, LEAST), sent(2, LEAST), sent(3, LEAST)]]);
  expect(out).toContain(
    '\n\nLeft out: "sk" in 3 lines, "a.b" in 1 line, "sets" in 2 lines, "refused" in 1 line.\n',
  );
});

test('the end of an import names all that plants do not have; a refused line has the names of properties', async () => {
  const lines = [
    `{"Item":${itemLine(1, LEAST, { sets: SET })}}`,
    itemLine(2, LEAST),
    itemLine(3, LEAST, { more: { S: 'x' }, sets: SET }),
  ];
  const { code, out, name } = await imported('a.ndjson', lines, '--rename', 'pk=id', '--ignore', 'sk');
  expect([code, out.split('\n').slice(-7)]).toEqual([
    1,
    [
      'Left out: "sk" in 3 lines.',
      '',
      'A plant has none of these, which the refused lines have: "sets" in 2 lines, "more" in 1 line. --ignore NAME,NAME leaves names out; --rename NAME=PROPERTY makes a property of one.',
      '',
      'The first refused line is 1: A plant has no property "sets".',
      `Refused lines: ${name}.refused.ndjson`,
      '',
    ],
  ]);
  const refused = readFileSync(`${name}.refused.ndjson`, 'utf8').trim().split('\n');
  const again = await imported('b.ndjson', refused, '--ignore', 'sets,more');
  expect([again.code, again.sent]).toEqual([0, [sent(1, LEAST), sent(3, LEAST)]]);
});

test('of names that are left out, one with a comma has quotes, as in CSV', async () => {
  const more = { 'a,b': SET, 'c"d': SET, '"e"': SET, '"': SET };
  const words = ['--rename', 'pk=id', '--ignore', 'sk,"a,b",c"d', '--ignore', '"""e""","'];
  const { code, out, sent: requests } = await imported('a.ndjson', [itemLine(1, LEAST, more)], ...words);
  expect([code, requests]).toEqual([0, [sent(1, LEAST)]]);
  expect(out).toContain(
    'Left out: "sk" in 1 line, "a,b" in 1 line, "c\\"d" in 1 line, "\\"e\\"" in 1 line, "\\"" in 1 line.',
  );
});

test('a name that no line of JSON has is told at the end, and a second value for a property with its line', async () => {
  const words = ['--rename', 'pk=id', '--ignore', 'sk,skk'];
  const rename = ['--rename', `b=${REQUIRED.find((name) => name !== 'id') ?? 'id'}`];
  const { code, out, sent: requests } = await imported('a.ndjson', [itemLine(1, LEAST)], ...words, ...rename);
  expect([code, requests, out.split('\n').slice(-2)]).toEqual([
    1,
    [sent(1, LEAST)],
    ['No line has "b" (--rename), "skk" (--ignore).', ''],
  ]);
  const twice = await imported('a.ndjson', [itemLine(1, LEAST, { id: { S: 'x' } })], ...words);
  expect(twice.out).toContain(
    'The first refused line is 1: By --rename, the line has a second "id"; --ignore leaves out one of them.\n',
  );
});

test('columns of CSV are renamed and left out, and a name that the header lacks stops the import', async () => {
  const lines = [
    `pk,sk,${Object.keys(LEAST)},note`,
    `${idJson(1)},A,${csvFields(LEAST)},`,
    `${idJson(2)},,${csvFields(LEAST)}`,
  ];
  const words = ['--rename', 'pk=id', '--ignore'];
  const { code, out, sent: requests } = await imported('a.csv', lines, ...words, 'sk,note');
  expect([code, requests]).toEqual([0, [sent(1, LEAST), sent(2, LEAST)]]);
  expect(out).toContain('\nLeft out: "sk" in 1 line.\n');
  expect(await imported('a.csv', lines, ...words, 'sk,Note')).toMatchObject({
    code: 1,
    err: 'The header has no column "Note", which --ignore gives.\n',
    sent: [],
  });
  expect((await imported('a.csv', lines, ...words, 'sk')).err).toMatch(
    / A plant has no property "note"\. --ignore NAME,NAME leaves names out; --rename NAME=PROPERTY makes a property of one\.\n$/,
  );
});

test.each([
  [{ SS: ['a'] }, 'a set of texts (SS): make a list (L) of it'],
  [{ NS: ['1'] }, 'a set of numbers (NS): make a list (L) of it'],
  [{ BS: ['eA=='] }, 'a set of binary values (BS): make a list (L) of texts (S) of it'],
  [{ B: 'eA==' }, 'binary (B): make a text (S) of it'],
])('%j in a property is named, also inside of a list and a map', async (value, name) => {
  const [property = 'id'] = REQUIRED.filter((each) => each !== 'id');
  for (const [attribute, path] of [
    [value, property],
    [{ L: [{ M: { a: value } }] }, `${property}[0].a`],
  ] as const) {
    const { out } = await imported('a.ndjson', [JSON.stringify({ ...itemOf('1'), [property]: attribute })]);
    expect(out).toContain(`The first refused line is 1: The ${path} is ${name}, or leave it out.\n`);
  }
});

const NO_PROPERTY = `--rename is NAME=PROPERTY, such as --rename pk=id; the properties are ${PROPERTY_NAMES.join(', ')}.`;
test.each([
  [['--rename', 'pk'], NO_PROPERTY],
  [['--rename', 'pk=quux'], NO_PROPERTY],
  [['--rename', '=id'], '--rename has a name that is empty.'],
  [['--ignore', 'a,'], '--ignore has a name that is empty.'],
  [
    ['--ignore', 'a', '--ignore', 'b,a'],
    '--rename and --ignore may give "a", and what it becomes, only once.',
  ],
  [
    ['--rename', 'a=id', '--rename', 'b=id'],
    '--rename and --ignore may give "a", and what it becomes, only once.',
  ],
])('%j is refused', (words, message) =>
  expectRefusal('import', ['a.ndjson', ...words], { code: 2, message }),
);
