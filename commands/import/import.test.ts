import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type Behavior, FERN, refusal, startScriptedService } from '../../client/test/scripted-service.ts';
import { bodyOf, LEAST, OTHER, type Plant, WHOLE } from '../../contract/examples.ts';
import { IS_NUMBER, idJson, idOf, NO_ID } from '../../contract/key.ts';
import { withChecksum } from '../../contract/tokens.ts';
import { typeOf } from '../../lambda/plant.ts';
import { startLocalProcess } from '../../test/support/local-process.ts';
import { csvFields, csvHeader, withTabs, withText } from '../../test/support/properties.ts';
import { expectRefusal, npmRun, runHere } from '../../test/support/run-command.ts';
import { temporaryFile, temporaryFolder } from '../../test/support/temporary-root.ts';
import { withObjects } from './send-plants.ts';

/** A token with a valid format and checksum, which no service has issued. */
const TOKEN = withChecksum(`plants_${'0'.repeat(43)}`);

/** Imports a file into a service at an address, in this process. */
async function imported(file: string, url: string) {
  vi.stubEnv('PLANT_STORE_TOKEN', TOKEN);
  const ended = await runHere('import', [file, '--url', url, '--parallel', '1']);
  vi.unstubAllEnvs();
  return { ...ended, report: report(ended.out) };
}

/** A line's id that is none, and why. */
const MUST_BE = IS_NUMBER
  ? 'an integer from -9223372036854775808 to 9223372036854775807'
  : typeOf('id').mustBe;
const TWENTY = IS_NUMBER ? '20e0' : idJson(20);
const sentIds = (...numbers: number[]) => numbers.map((id): unknown => (IS_NUMBER ? id : idOf(id)));

/** A CSV file of the least plant, with these ids. */
const csvOf = (...ids: (number | string)[]) =>
  `${csvHeader(['id', ...Object.keys(LEAST)])}\n${ids.map((id) => `${typeof id === 'number' ? idOf(id) : id},${csvFields(LEAST)}\n`).join('')}`;

/** The numbers of a report by what they count. */
function report(out: string): Record<string, number> {
  const rows = [...out.matchAll(/^ *(stored|refused with \d+) +(\d+)$/gm)];
  return Object.fromEntries(rows.map(([, name = '', count]) => [name, Number(count)]));
}

describe('npm run import into the local service', async () => {
  const data = path.join(temporaryFolder(), 'data');
  const row = (id: string, plant: Plant) => `${idOf(id)},${csvFields(plant)}`;
  const csv = temporaryFile(
    'a.csv',
    [
      ['id', ...Object.keys(LEAST)].join(),
      row('9223372036854775807', LEAST),
      row('-9007199254740993', withText('Ro"se, red')),
      row('9223372036854775807', OTHER),
      row(NO_ID, OTHER),
      '"1, ""2"""',
      row('14', OTHER),
      '',
    ].join('\n'),
  );
  const server = await startLocalProcess(data);
  afterAll(() => server.end());

  test('without --url, the running service stores the plants of a CSV file with all digits of their ids', async () => {
    // One after the other: of two plants with one id, the first is stored.
    const { code, out, err } = await runHere('import', [csv, '--data', data, '--parallel', '1']);
    expect(report(out)).toEqual({ stored: 3, 'refused with 40002': 2, 'refused with 40901': 1 });
    // In seconds.
    expect(out).toMatch(/^ *time +\d{1,2} s\n *rate +\d+\/s$/m);
    expect(out.split('\n').slice(-4)).toEqual([
      '',
      'The first refused line is 4: The id belongs to a different plant; choose another id.',
      `Refused lines: ${csv}.refused.ndjson`,
      '',
    ]);
    expect([code, err]).toEqual([1, '']);
    const first = { id: '9223372036854775807', ...LEAST };
    expect(await server.item(first.id)).toEqual(first);
  });

  test('refused lines can be corrected and imported', async () => {
    const refused = readFileSync(`${csv}.refused.ndjson`, 'utf8');
    expect(refused.split('\n')).toEqual([
      `${bodyOf('9223372036854775807', OTHER).slice(0, -1)},"refused":{"line":4,"error":40901,"message":"The id belongs to a different plant; choose another id."}}`,
      `${bodyOf(NO_ID, OTHER).slice(0, -1)},"refused":{"line":5,"error":40002,"message":"id must be ${MUST_BE}."}}`,
      `{"refused":{"line":6,"error":40002,"message":"The number of fields (1) differs from that of the header (${1 + Object.keys(LEAST).length}).","text":"\\"1, \\"\\"2\\"\\"\\""}}`,
      '',
    ]);
    const corrected = temporaryFile(
      'corrected.ndjson',
      refused
        .replaceAll(idJson('9223372036854775807'), idJson(12))
        .replaceAll(idJson(NO_ID), idJson(12))
        .replace('{"refused"', `${bodyOf(13).slice(0, -1)},"refused"`),
    );
    const { code, out } = await runHere('import', [corrected, '--data', data]);
    expect([report(out), code]).toEqual([{ stored: 3 }, 0]);
    expect(readdirSync(path.dirname(corrected))).toEqual(['corrected.ndjson']);
    expect(await server.item('12')).toEqual({ id: '12', ...OTHER });
  });

  test('NDJSON is read from standard input', async () => {
    const cwd = temporaryFolder();
    const input = `${bodyOf('9007199254740993', WHOLE)}\n{"id":${TWENTY},"refused":{"line":9}}\n`;
    const words = ['-', '--url', server.url, '--format', 'ndjson'];
    const env = { PLANT_STORE_TOKEN: server.token };
    const { code, out } = await npmRun('import', words, { input, cwd, env });
    expect([report(out), code]).toEqual([{ stored: 1, 'refused with 40002': 1 }, 1]);
    expect(readFileSync(path.join(cwd, 'stdin.refused.ndjson'), 'utf8')).toMatch(
      /^\{"id":(?:20e0|"[^"]+"),"refused":\{"line":2,"error":40002,"message":"\w+ is missing; it must be .+\."\}\}\n$/,
    );
    const stored = { id: '9007199254740993', ...WHOLE };
    expect(await server.item(stored.id)).toEqual(stored);
  });

  test('an address left from a service is not contacted', async () => {
    await server.end();
    const stranger = await startScriptedService(FERN);
    writeFileSync(path.join(data, 'url'), stranger.url);
    const { code, err } = await runHere('import', [temporaryFile('a.jsonl', bodyOf(1)), '--data', data]);
    await stranger.close();
    expect([code, stranger.requests]).toEqual([1, []]);
    expect(err).toBe(
      `No service with the data folder ${data} is running: npm start -- --data '${data}'. ` +
        'For another service, or one with a store elsewhere: --url.\n',
    );
  });
});

/** Sends plants one after the other to a scripted service. @returns also what it was sent */
async function importTo(script: Behavior[], file: string) {
  const service = await startScriptedService(...script);
  const ended = await imported(file, service.url);
  await service.close();
  return { ...ended, url: service.url, sent: service.requests.map(({ body }) => JSON.parse(body).id) };
}

test('the token may be what a command prints', async () => {
  const service = await startScriptedService(FERN);
  const words = ['--url', service.url, '--token-command', 'echo eyJ.e30.c2ln'];
  const { code } = await runHere('import', [temporaryFile('a.csv', csvOf(1)), ...words]);
  await service.close();
  expect([code, service.requests.map(({ headers }) => headers.authorization)]).toEqual([
    0,
    ['Bearer eyJ.e30.c2ln'],
  ]);
});

test('an error of every line stops an import; its refused lines stay, and are not written over', async () => {
  const file = temporaryFile('a.csv', csvOf(NO_ID, 1, NO_ID, 2, 3));
  const refused = `${file}.refused.ndjson`;
  const stopped = await importTo([FERN, refusal(50001)], file);
  const err =
    `${stopped.url} returns 50001: Message 50001. ` +
    `What is stored stays: delete ${refused}, and import the whole file again.\n`;
  expect(stopped).toMatchObject({ code: 1, out: '', err, sent: sentIds(1, 2) });
  const lines = readFileSync(refused, 'utf8');
  expect([lines.match(/"line":\d/g), statSync(refused).mode & 0o777]).toEqual([
    ['"line":2', '"line":4'],
    0o600,
  ]);
  const kept = `${refused} is of an earlier import, and may have corrections: move it away, or delete it.\n`;
  expect(await importTo([FERN], file)).toMatchObject({ code: 1, out: '', err: kept, sent: [] });
  expect(readFileSync(refused, 'utf8')).toBe(lines);
});

const [ONE, TWO] = [1, 2].map((id) => `${bodyOf(id)}\n`) as [string, string];
const GZIP = zlib.gzipSync(ONE);
// Some tools fill the last block of a gzip with zeros.
const PADDED = Buffer.concat([GZIP, Buffer.alloc(9000)]);
/** What Node 24 would leave unread is told. */
const UNREAD = RegExp(
  `is damaged: what it has from byte ${GZIP.length} on is no gzip\\. What is stored stays`,
);
const NO_CSV = /^The row that begins in line 4 is no CSV, .+ value is "Fe"\. What is stored stays/;
const CUT = /^.+a\.csv\.gz is damaged: its end is missing\.\n$/;
test.each<[file: string, content: string | Buffer, sent: number[], err?: RegExp]>([
  ['a.csv.gz', zlib.gzipSync(csvOf(1, 2)), [1, 2]],
  ['a.TSV.GZ', zlib.gzipSync(withTabs(csvOf(1, 2))), [1, 2]],
  ['a.ndjson.gz', Buffer.concat([GZIP, zlib.gzipSync(TWO)]), [1, 2]],
  ['a.ndjson.gz', PADDED, [1]],
  ['a.ndjson.gz', Buffer.concat([PADDED, GZIP]), [1], UNREAD],
  ['a.csv.gz', zlib.gzipSync(csvOf(1, 2)).subarray(0, -8), [1], /its end is missing\. What is stored stays/],
  ['a.csv.gz', csvOf(1, 2), [], /^.+a\.csv\.gz is damaged, or no gzip \(Z_DATA_ERROR\)\.\n$/],
  ['a.csv.gz', '', [], CUT],
  ['a.csv', '', [], /^The CSV file is empty; its first line must name the columns\.\n$/],
  ['a.csv', `${csvOf(1, 2)}3,Fe"rn`, [1, 2], NO_CSV],
  ['a.ndjson', '', []],
  ['a.json', '', []],
])('%# of %s, all is read, or the import stops and says what is stored', async (name, content, ids, err) => {
  const file = temporaryFile(name, '');
  writeFileSync(file, content);
  const { code, err: said, sent, report } = await importTo([FERN], file);
  expect([code, said, sent]).toEqual([err ? 1 : 0, expect.stringMatching(err ?? /^$/), sentIds(...ids)]);
  expect(report).toEqual(err ? {} : { stored: ids.length });
});

test('a map is sent as an object, also inside of lists and objects', () => {
  const plant = { id: 7n, labels: new Map([['a', [new Map([['b', null]])]]]), size: { x: new Map() } };
  expect(withObjects(plant)).toEqual({ id: 7n, labels: { a: [{ b: null }] }, size: { x: {} } });
});

const LOST = { 'retry-after': '0' };
const BY_PROXY = { status: 503, body: '<html>' };
test.each<[string, Behavior[], number, Record<string, number>]>([
  ['what concerns its line', [40001, 40002, 40901, 41301].map((error) => refusal(error)), 4, {}],
  ['what a proxy says first', [{ ...BY_PROXY, headers: LOST }, BY_PROXY, FERN], 1, { stored: 1 }],
  ['what passes, with an id', [refusal(50401, { ...LOST, 'x-request-id': 'r-1' }), FERN], 1, { stored: 1 }],
  ['what passes, after a plant', [FERN, refusal(50401, LOST), FERN], 2, { stored: 2 }],
])('an import goes on after %s', async (_, script, count, stored) => {
  const lines = Array.from({ length: count }, (_, n) => n + 1);
  const { report, sent } = await importTo(script, temporaryFile('a.csv', csvOf(...lines)));
  expect([new Set(sent), sent.length]).toEqual([new Set(sentIds(...lines)), script.length]);
  expect(report).toMatchObject(stored);
});

test('what a proxy says for longer than a plant is retried stops an import, which says it', async () => {
  const script = [
    { ...BY_PROXY, headers: { 'retry-after': '1' } },
    { ...BY_PROXY, headers: { 'retry-after': '61' } },
  ];
  const { code, url, err, sent } = await importTo(script, temporaryFile('a.csv', csvOf(1, 2)));
  expect([code, err, sent]).toEqual([
    1,
    expect.stringContaining(`${url} returns 50401: The response (status 503) did not come from the service`),
    sentIds(1, 1),
  ]);
});

test('a web page in place of the first response stops an import, and so does a refused connection', async () => {
  const page: Behavior = { status: 200, body: '<html>' };
  const { url, err, sent } = await importTo([page], temporaryFile('a.csv', csvOf(1, 2)));
  expect([err, sent]).toEqual([expect.stringContaining(`${url} returns 50401: `), sentIds(1)]);
  const refused = await imported(temporaryFile('a.csv', csvOf(1)), url);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining(`${url} cannot be reached (ECONNREFUSED).`),
  ]);
});

test('with --no-quotes, quotes do not stand around the name of a column', async () => {
  const file = temporaryFile('a.csv', csvOf(1).replace('id', '"id"'));
  const words = ['--no-quotes', '--url', 'http://127.0.0.1:9', '--token-command', 'echo eyJ.e30.c2ln'];
  await expectRefusal('import', [file, ...words], { code: 1, message: 'The header is "\\"id\\"' });
});

test.each<[string[], 1 | 2, string]>([
  [[], 2, 'Give one file, or - for standard input; --help shows the options.'],
  [['a.txt'], 2, 'Cannot tell the format from a.txt; set --format to one of csv, tsv, ndjson, jsonl, json.'],
  [['a.csv', '--format', 'xml'], 2, '--format must be one of csv, tsv, ndjson, jsonl, json.'],
  [
    ['a.ndjson.zst'],
    2,
    'Unpack a.ndjson.zst first: zstd -dc a.ndjson.zst | npm run import -- - --format NAME.',
  ],
  [['a.ndjson', '--null', ''], 2, '--null is for CSV; in JSON, null is absent.'],
  [['a.ndjson', '--no-quotes'], 2, '--no-quotes is for CSV.'],
  [['a.csv'], 1, 'There is no file a.csv.'],
  [
    ['-', '--format', 'csv', '--url', 'http://127.0.0.1:9'],
    2,
    'Put the access token into PLANT_STORE_TOKEN, or use --token-command:',
  ],
  [['.', '--format', 'csv'], 1, '. is not a file; FILE may be -'],
])('%j is refused', (words, code, message) => expectRefusal('import', words, { code, message }));
