import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FERN, refusal, startScriptedService } from '../client/scripted-service.ts';
import { type LocalProcess, startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { withUsualLimits } from '../support/temporary-root.ts';
import { storedItem } from '../support/test-service.ts';
import { runTool } from './run-tool.ts';

/** Of the right form and with the right checksum, which was worked out by hand: no service has issued it. */
const TOKEN = `plants_${'0'.repeat(43)}3HnMlu`;

/** Writes a file to import into a new folder. */
function fileWith(name: string, text: string): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const row = (output: string, name: string) =>
  Number(new RegExp(`^ *${name} +(\\d+)$`, 'm').exec(output)?.[1]);

/** Waits until the state file of an import says that lines were finished. @returns the line to go on at */
async function untilSaved(file: string): Promise<number> {
  for (;;) {
    await pause(20);
    if (!existsSync(`${file}.import.json`)) continue;
    const { next } = JSON.parse(readFileSync(`${file}.import.json`, 'utf8'));
    if (next.offset > 0) return next.line;
  }
}

describe('npm run import into the local service', () => {
  let server: LocalProcess;
  let table: DynamoDBClient;
  beforeAll(async () => {
    server = await startLocalProcess(temporaryFolder());
    const { endpoint, credentials } = server;
    table = new DynamoDBClient({ endpoint, region: 'local', credentials });
  });
  afterAll(async () => {
    table?.destroy();
    await server?.end('SIGTERM');
  });

  const importFile = (file: string, options: { input?: string; cwd?: string; words?: string[] } = {}) =>
    runTool('import', [file, '--url', server.url, ...(options.words ?? [])], {
      ...options,
      env: { PLANT_STORE_TOKEN: server.token },
    });

  test('CSV: ids keep their digits; refused lines can be corrected and imported', async () => {
    const file = fileWith(
      'a.csv',
      'id,name,tag\n9223372036854775807,Fern,shade\n-9007199254740993,"Ro""se, red",\n' +
        '9223372036854775807,Oak,\n9223372036854775808,Elm,\n12,"Ash\n13,Lime,\n',
    );
    const { code, out, err } = await importFile(file);
    expect(out).toContain(`Refused lines: ${file}.refused.ndjson\n`);
    expect(
      ['stored', 'refused with 40001', 'refused with 40002', 'refused with 40901'].map((name) =>
        row(out, name),
      ),
    ).toEqual([3, 1, 1, 1]);
    expect([code, err]).toEqual([1, '']);
    expect(await storedItem(table, '9223372036854775807')).toMatchObject({ name: 'Fern', tag: 'shade' });
    const rose = { id: '-9007199254740993', name: 'Ro"se, red' };
    expect(await storedItem(table, rose.id)).toEqual(rose);
    const refused = readFileSync(`${file}.refused.ndjson`, 'utf8');
    expect(refused).toContain(
      '{"id":9223372036854775808,"name":"Elm","refused":{"line":5,"error":40002,"message":"id must',
    );
    expect(linesOf(`${file}.refused.ndjson`)).toEqual([
      expect.objectContaining({
        name: 'Oak',
        refused: {
          line: 4,
          error: 40901,
          message: 'The id belongs to a different plant; choose another id.',
        },
      }),
      expect.objectContaining({ name: 'Elm' }),
      { refused: expect.objectContaining({ line: 6, error: 40001, text: '12,"Ash' }) },
    ]);
    expect(existsSync(`${file}.import.json`)).toBe(false);
    const mended = fileWith(
      'mended.ndjson',
      refused
        .replace('9223372036854775807', '9223372036854775806')
        .replace('9223372036854775808', '9223372036854775805')
        .replace('{"refused"', '{"id":12,"name":"Ash","refused"'),
    );
    const again = await importFile(mended);
    expect([row(again.out, 'stored'), again.code]).toEqual([3, 0]);
    expect(existsSync(`${mended}.refused.ndjson`)).toBe(false);
    expect(await storedItem(table, '9223372036854775805')).toEqual({
      id: '9223372036854775805',
      name: 'Elm',
    });
  });

  test('NDJSON on standard input', async () => {
    const cwd = temporaryFolder();
    const input = '{"id":9007199254740993,"name":"Fern","tag":""}\n{"id":20e0,"refused":{"line":9}}\n';
    const { code, out } = await importFile('-', { input, cwd, words: ['--format', 'ndjson'] });
    expect([row(out, 'stored'), row(out, 'refused with 40002'), code]).toEqual([1, 1, 1]);
    expect(out).toContain('Refused lines: stdin.refused.ndjson\n');
    expect(readFileSync(path.join(cwd, 'stdin.refused.ndjson'), 'utf8')).toBe(
      '{"id":20e0,"refused":{"line":2,"error":40002,"message":"name is missing; it must be a string."}}\n',
    );
    expect(await storedItem(table, '9007199254740993')).toEqual({
      id: '9007199254740993',
      name: 'Fern',
      tag: '',
    });
  });

  test('after kill -9 it resumes: nothing is missing, and no finished line is sent again', async () => {
    const count = 3_000;
    const first = 7_000_000_000_000_000_001n;
    const ids = Array.from({ length: count }, (_, n) => String(first + BigInt(n)));
    const rows = ids.map((id, n) => `${id},Fern ${id},\n${n % 10 === 0 ? `x${n},refused,\n` : ''}`);
    const file = fileWith('a.csv', `id,name,tag\n${rows.join('')}`);
    const child = spawn(process.execPath, ['tools/import.ts', file, '--url', server.url], {
      env: { ...process.env, PLANT_STORE_TOKEN: server.token },
      stdio: 'ignore',
    });
    const before = await untilSaved(file);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { next } = JSON.parse(readFileSync(`${file}.import.json`, 'utf8'));
    expect(next.line).toBeGreaterThanOrEqual(before);
    expect(next.line).toBeLessThan(3_000);
    // Lines that were written after the state was saved; the last one is incomplete.
    appendFileSync(`${file}.refused.ndjson`, '{"id":"x","refused":{}}\n{"id":');
    const { code, out } = await importFile(file);
    expect(out).toContain(`Resuming at line ${next.line}.\n`);
    expect([row(out, 'stored'), row(out, 'refused with 40002'), code]).toEqual([count, count / 10, 1]);
    expect(linesOf(`${file}.refused.ndjson`).map(({ id }) => id)).toEqual(
      Array.from({ length: count / 10 }, (_, n) => `x${n * 10}`),
    );
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes('"id":"70000000000000'));
    const idsWith = (outcome: string) =>
      lines
        .filter((line) => line.includes(`"outcome":"${outcome}"`))
        .map((line) => /"id":"(\d+)"/.exec(line)?.[1]);
    expect(new Set(idsWith('created'))).toEqual(new Set(ids));
    // Ten plants and one refused line take eleven lines; the header takes one.
    const finished = Math.floor(((next.line - 2) * 10) / 11);
    const sentAgain = idsWith('repeated').map((id) => ids.indexOf(id ?? ''));
    expect(Math.min(...sentAgain, count)).toBeGreaterThanOrEqual(finished - 1);
    expect(lines.length).toBe(count + sentAgain.length);
  });

  test('it resumes only with the same file and the same service, or starts again with --restart', async () => {
    const text = 'id,name\n1,Fern\n2,Fern\n';
    const file = fileWith('a.csv', text);
    const stopped = await startScriptedService(FERN, refusal(50001));
    const env = { PLANT_STORE_TOKEN: TOKEN };
    const first = await runTool('import', [file, '--url', stopped.url], { env });
    await stopped.close();
    expect(first.err).toBe(
      `${stopped.url} answers 50001: Message 50001. Run the same command to resume at line 3.\n`,
    );
    expect(first.code).toBe(1);
    const elsewhere = await importFile(file);
    expect(elsewhere.err).toBe(
      `${file}.import.json belongs to an import to ${stopped.url}; continue that one, or start again from the first line with --restart.\n`,
    );
    writeFileSync(file, text.replace('Fern', 'Rose'));
    const changed = await runTool('import', [file, '--url', stopped.url], { env });
    expect(changed.err).toContain('The file has changed before line 3, where its import was interrupted;');
    writeFileSync(file, 'id,name\n21,Fern\nx,Fern\n');
    const restarted = await importFile(file, { words: ['--restart'] });
    expect([row(restarted.out, 'stored'), row(restarted.out, 'refused with 40002')]).toEqual([1, 1]);
    const left = await importFile(file);
    expect(left.err).toBe(
      `${file}.refused.ndjson has the refused lines of an earlier import; move it, or overwrite it with --restart.\n`,
    );
    expect([elsewhere.code, changed.code, left.code]).toEqual([1, 1, 1]);
  });
});

test('without --url it starts a service on the data folder', async () => {
  const data = path.join(temporaryFolder(), 'data');
  const file = fileWith('a.jsonl', '{"id":9007199254740993,"name":"Fern"}\n');
  const { code, out, err } = await runTool('import', [file, '--data', data]);
  expect([row(out, 'stored'), err, code]).toEqual([1, '', 0]);
  const server = await startLocalProcess(data);
  const { endpoint, credentials } = server;
  const table = new DynamoDBClient({ endpoint, region: 'local', credentials });
  expect(await storedItem(table, '9007199254740993')).toEqual({ id: '9007199254740993', name: 'Fern' });
  const inUse = await runTool('import', [file, '--data', data]);
  expect(inUse.err).toBe(
    `The data folder ${data} is in use by another process; stop it, or choose --data.\nThe local service did not start.\n`,
  );
  expect([existsSync(`${file}.import.json`), inUse.code]).toEqual([false, 1]);
  table.destroy();
  await server.end('SIGTERM');
});

describe('npm run import stops with one line, and leaves no file if no line is finished', () => {
  const html = { status: 200, body: '<html>' };
  test.each([
    ['a wrong token', refusal(40102), 'answers 40102: Message 40102.'],
    ['no such operation', refusal(40401), 'answers 40401: Message 40401.'],
    ['a page', html, 'answers 50401: The answer (status 200) did not come from the service'],
    ['another status', { status: 404, body: '' }, 'answers 40000: The answer (status 404) did not come'],
  ])('at %s, after one request', async (_, behaviour, sentence) => {
    const file = fileWith('a.ndjson', '{"id":1,"name":"Fern"}\n'.repeat(500));
    const service = await startScriptedService(behaviour);
    const env = { PLANT_STORE_TOKEN: TOKEN };
    const { code, out, err } = await runTool('import', [file, '--url', service.url], { env });
    expect(service.requests).toHaveLength(1);
    await service.close();
    expect(err).toContain(`${service.url} ${sentence}`);
    expect(err).toMatch(/^[^\n]+\n$/);
    expect([out, code]).toEqual(['', 1]);
    // The token or the address can be another one next time.
    expect(readdirSync(path.dirname(file))).toEqual(['a.ndjson']);
  });

  test('at an address where nothing listens', async () => {
    const input = 'id,name\n1,Fern\n';
    const cwd = temporaryFolder();
    const words = ['-', '--format', 'csv', '--url', 'http://127.0.0.1:9'];
    const { code, err } = await runTool('import', words, { input, cwd, env: { PLANT_STORE_TOKEN: TOKEN } });
    expect(err).toBe('http://127.0.0.1:9 cannot be reached (ECONNREFUSED).\n');
    expect(code).toBe(1);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

test('standard input that stopped is given again with its header', async () => {
  const service = await startScriptedService(FERN, refusal(50001));
  const cwd = temporaryFolder();
  const { code, err } = await runTool('import', ['-', '--format', 'csv', '--url', service.url], {
    cwd,
    input: 'id,name\n1,Fern\n2,Fern\n3,Fern\n',
    env: { PLANT_STORE_TOKEN: TOKEN },
  });
  await service.close();
  expect(err).toBe(
    `${service.url} answers 50001: Message 50001. Standard input cannot be resumed: send the header and the lines from 3 on again.\n`,
  );
  expect([code, readdirSync(cwd)]).toEqual([1, []]);
});

test.each([
  '',
  'null',
  '{"next":{"offset":9},"refusedBytes":0}',
  '{"target":"http://127.0.0.1:9","sha256":"","refusedBytes":0,"next":{"offset":-9,"line":1},"stored":0,"refused":{}}',
])('the state file %j is refused in one line', async (state) => {
  const file = fileWith('a.csv', 'id,name\n1,Fern\n');
  writeFileSync(`${file}.import.json`, state);
  const env = { PLANT_STORE_TOKEN: TOKEN };
  const { code, err } = await runTool('import', [file, '--url', 'http://127.0.0.1:9'], { env });
  expect(err).toBe(
    `${file}.import.json is not the state of an import; start again from the first line with --restart.\n`,
  );
  expect([code, readdirSync(path.dirname(file))]).toEqual([1, ['a.csv', 'a.csv.import.json']]);
});

test.each([
  ['removed', ['--restart']],
  ['written to', []],
])('a file of refused lines that cannot be %s is explained in one line', async (what, words) => {
  const file = fileWith('a.csv', 'id,name\n1,Fern\n');
  mkdirSync(`${file}.refused.ndjson`);
  const env = { PLANT_STORE_TOKEN: TOKEN };
  const { code, err } = await runTool('import', [file, '--url', 'http://127.0.0.1:9', ...words], { env });
  expect(err).toMatch(new RegExp(`^[^\\n]+ cannot be ${what} \\([A-Z_]+\\)\\.\\n$`));
  expect(code).toBe(1);
});

test.skipIf(process.platform !== 'linux')(
  'a file whose bytes cannot be read is explained in one line',
  async () => {
    const file = path.join(temporaryFolder(), 'a.csv');
    // A file that opens, but has no byte at the address 0.
    symlinkSync('/proc/self/mem', file);
    const words = [file, '--url', 'http://127.0.0.1:9'];
    const { code, err } = await runTool('import', words, { env: { PLANT_STORE_TOKEN: TOKEN } });
    expect(err).toBe(`${file} cannot be read (EIO).\n`);
    expect(code).toBe(1);
  },
);

test('it slows down for a throttled service, and speeds up again', async () => {
  const stored = new Set<string>();
  /** The plants that are refused in the second half of the throttling. */
  const refused = new Set<string>();
  /** Where the service waits until this many requests are there at once; it would wait forever for a slow importer. */
  const gates = [
    { stored: 100, requests: 16, open: Promise.withResolvers<void>() },
    { stored: 500, requests: 12, open: Promise.withResolvers<void>() },
  ];
  let now = 0;
  const answer = async (body: string, response: ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    if (stored.size >= 150 && stored.size < 210 && now > 1) {
      if (stored.size > 180) refused.add(body);
      response.writeHead(400, { 'retry-after': '0' }).end('{"error":42901,"message":"Slower."}');
      return;
    }
    const gate = gates.findLast((each) => stored.size >= each.stored);
    if (gate && now >= gate.requests) gate.open.resolve();
    await gate?.open.promise;
    await pause(20);
    stored.add(body);
    response.end('{"name":"Fern"}');
  };
  const server = createServer(async (request, response) => {
    now += 1;
    let body = '';
    for await (const chunk of request) body += chunk;
    await answer(body, response);
    now -= 1;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const rows = Array.from({ length: 600 }, (_, id) => `${id},Fern\n`);
  const file = fileWith('a.csv', `id,name\n${rows.join('')}`);
  const { code, out } = await runTool('import', [file, '--url', `http://127.0.0.1:${port}`], {
    env: { PLANT_STORE_TOKEN: TOKEN, NODE_OPTIONS: withUsualLimits(process.env.NODE_OPTIONS) },
  });
  server.close();
  expect([row(out, 'stored'), stored.size, code]).toEqual([600, 600, 0]);
  // 36 if the requests in flight are not reduced.
  expect(refused.size).toBeLessThan(20);
});

test.each([
  [[], '', 2, 'Give one file, or - for standard input'],
  [['a.csv', 'b.csv'], '', 2, 'Give one file, or - for standard input'],
  [['a.txt'], '', 2, 'Set --format to csv or ndjson.'],
  [['a.csv', '--format', 'xml'], '', 2, '--format must be csv or ndjson.'],
  [['a.csv', '--parallel', '0'], '', 2, '--parallel must be a whole number from 1 to 256.'],
  [
    ['a.csv', '--url', 'http://localhost:9', '--data', 'x'],
    '',
    2,
    '--url and --data cannot be used together.',
  ],
  [
    ['-', '--format', 'csv', '--url', 'http://localhost:9'],
    '',
    2,
    'Put the access token into PLANT_STORE_TOKEN:',
  ],
  [['none.csv', '--url', 'http://localhost:9'], TOKEN, 1, 'There is no file none.csv.'],
  [['.', '--format', 'csv', '--url', 'http://localhost:9'], TOKEN, 1, '. is not a file; FILE may be -'],
  [['a.csv', `--token=${TOKEN}`], '', 2, 'There is no option --token: give the token in'],
])('import %j is explained in one line', async (words, token, expected, sentence) => {
  const cwd = temporaryFolder();
  writeFileSync(path.join(cwd, 'a.csv'), 'id,name\n1,Fern\n');
  const { code, out, err } = await runTool('import', words, { cwd, env: { PLANT_STORE_TOKEN: token } });
  expect(err).toContain(sentence);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect([out, code]).toEqual(['', expected]);
  expect(existsSync(path.join(cwd, 'a.csv.import.json'))).toBe(false);
  rmSync(cwd, { recursive: true });
});
