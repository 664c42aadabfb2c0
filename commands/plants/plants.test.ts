import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type DynamoDBClient, PutItemCommand, type PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { bodyOf, LEAST, OTHER, TEXT, WHOLE } from '../../contract/examples.ts';
import { createGateway } from '../../local/gateway.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import {
  error,
  is,
  type Reply,
  type Responses,
  raw,
  stack,
  startAws,
  withAws,
} from '../../test/support/aws-stand-in.ts';
import { listen } from '../../test/support/listen.ts';
import { startCommand, startLocalProcess, temporaryFolder } from '../../test/support/local-process.ts';
import { hasTerminal, runHere, runInTerminal, runWithAws } from '../../test/support/run-command.ts';
import { itemOf } from '../../test/support/stored-item.ts';
import { plantEvent, startTestService, type TestService } from '../../test/support/test-service.ts';
import { importPlants } from '../import/import-plants.ts';
import { exportPlants } from './export-plants.ts';
import { keyOf, withPlants } from './plants-table.ts';
import { ReadRate } from './read-rate.ts';

/** The lines of an export, in a fixed order. */
const sorted = (text: string) => text.split('\n').filter(Boolean).sort();

/** The lines of an export of all plants of a store. */
async function exported(client: DynamoDBClient, parallel: number): Promise<string[]> {
  let output = '';
  const write = (lines: string) => {
    output += lines;
  };
  const plants = { where: 'here', isDeployed: false, client, table: LOCAL_TABLES.plants, ceiling: undefined };
  const job = { plants, parallel, rate: new ReadRate(undefined), write, onPage: () => undefined };
  const done = { plants: 0, others: 0, firstOther: undefined, absent: 0 };
  await exportPlants({ ...job, stop: new AbortController() }, done);
  expect(done.plants).toBe(sorted(output).length);
  return sorted(output);
}

/** Imports lines into a service as `npm run import` does. */
async function imported({ handler, token }: TestService, lines: string[]) {
  const file = path.join(temporaryFolder(), 'plants.ndjson');
  writeFileSync(file, lines.join('\n'));
  const gateway = createGateway(handler);
  const service = { url: await listen(gateway), token };
  const input = { file, size: 0 };
  const outcome = await importPlants({ input, format: 'ndjson', service, parallel: 8 });
  gateway.close();
  return outcome;
}

test('an export that is imported into an empty store gives the same plants, digit for digit', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  const int64 = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n, 2n ** 53n + 1n, 0n, -1n, 10n ** 18n),
  );
  const plant = fc.record({ id: int64, text });
  const plants = fc.uniqueArray(plant, { selector: ({ id }) => id, minLength: 80, maxLength: 80 });
  const [given = []] = fc.sample(plants, 1);
  const lines = given.map(({ id, text }, n) =>
    bodyOf(id, { ...(n % 2 === 0 ? LEAST : WHOLE), [TEXT]: text }),
  );
  const [first, second] = await Promise.all([startTestService(), startTestService()]);
  for (const line of lines) expect((await first.handler(plantEvent(first.token, line))).statusCode).toBe(200);
  const output = await exported(first.client, 1);
  expect(output).toEqual(lines.sort());
  for (const segments of [2, 9]) expect(await exported(first.client, segments)).toEqual(output);
  expect(await imported(second, output)).toMatchObject({ stored: given.length, refused: {} });
  expect(await exported(second.client, 1)).toEqual(output);
  await Promise.all([first.close(), second.close()]);
});

/** A file with this text. */
function idsFile(text: string): string {
  const file = path.join(temporaryFolder(), 'ids');
  writeFileSync(file, text);
  return file;
}

describe('npm run plants', async () => {
  const data = temporaryFolder();
  const server = await startLocalProcess(data);
  afterAll(() => server.end());
  const LARGE = bodyOf(9223372036854775807n, { ...WHOLE, [TEXT]: 'Fern\u0000\u009b' });
  const IVY = bodyOf(7, { ...LEAST, [TEXT]: '' });
  const ALL = [bodyOf(-5), IVY, LARGE];
  const plants = (...args: string[]) => runHere('plants', [...args, '--data', data]);
  for (const body of ALL) expect((await server.post(body)).status).toBe(200);

  test('exports the plants of a running service, and says that it is no snapshot; a file in place of an earlier one', async () => {
    const NO_SNAPSHOT = 'Those stored or deleted during the export may or may not be included.';
    const toOutput = await plants('export');
    expect(sorted(toOutput.out)).toEqual(ALL);
    expect([toOutput.code, toOutput.err]).toEqual([0, `Plants in standard output: 3. ${NO_SNAPSHOT}\n`]);
    const file = path.join(temporaryFolder(), 'a.ndjson');
    writeFileSync(file, 'earlier\n'.repeat(100), { mode: 0o644 });
    const toFile = await plants('export', file, '--rate', '50', '--parallel', '3');
    expect(toFile).toMatchObject({ code: 0, out: '', err: `Plants in ${file}: 3. ${NO_SNAPSHOT}\n` });
    expect([sorted(readFileSync(file, 'utf8')), statSync(file).mode & 0o777]).toEqual([ALL, 0o600]);
  });

  test('exports one plant by its id, also a negative one', async () => {
    expect((await plants('export', '--id', '-5')).out).toBe(`${bodyOf(-5)}\n`);
  });

  test('deletes a plant and prints it; the service stores it again', async () => {
    await server.post(bodyOf(-8));
    const { code, out, err } = await plants('delete', '-8', '--yes');
    expect([code, out]).toEqual([0, `${bodyOf(-8)}\n`]);
    expect(err).toBe('Deleted from Plants: 1. Not there: 0. A client that retries creates it again.\n');
    expect(await server.item('-8')).toBeUndefined();
    expect((await server.post(bodyOf(-8, OTHER))).status).toBe(200);
    expect((await plants('delete', '9', '--yes')).err).toBe('The local store has no plant 9.\n');
  });

  test('exports and deletes the plants whose ids are in a file, and says how many were not there', async () => {
    const lines = [1n, 2n ** 63n - 2n, -(2n ** 63n)].map((id) => bodyOf(id, OTHER)).sort();
    for (const line of lines) await server.post(line);
    const ids = idsFile('9223372036854775806\r\n1\n-9223372036854775808\n1\n99\n');
    const some = await plants('export', '--ids', ids);
    expect([sorted(some.out), some.code]).toEqual([lines, 0]);
    expect(some.err).toMatch(/^Not there: 1\.$/m);
    const ended = await plants('delete', '--ids', ids, '--yes');
    expect([sorted(ended.out), ended.code]).toEqual([lines, 0]);
    expect(ended.err).toMatch(/^Deleted from Plants: 3\. Not there: 1\./);
    for (const verb of [['export'], ['delete', '--yes']])
      expect(await plants(...verb, '--ids', ids)).toMatchObject({
        code: 1,
        err: expect.stringContaining('has none of the 4 plants.'),
      });
    expect(sorted((await plants('export')).out)).toEqual(expect.arrayContaining(ALL));
  });

  test.each(['7\n1e3\n', '7\n\n8\n', '7\n9223372036854775808', '7\n-0'])(
    'of a file of ids with a wrong line, %j, nothing is deleted',
    async (text) => {
      const { code, err } = await plants('delete', '--yes', '--ids', idsFile(text));
      expect([code, err]).toEqual([2, expect.stringContaining(', line 2, must be an integer')]);
      expect(await server.item('7')).toEqual({ id: '7', ...LEAST, [TEXT]: '' });
      expect((await plants('delete', '--yes', '--ids', idsFile(''))).err).toContain(
        ', line 1, must be an integer',
      );
    },
  );

  test.skipIf(!hasTerminal).each([
    ['7', 0, undefined, IVY],
    ['y', 1, { id: '7', ...LEAST, [TEXT]: '' }, 'Nothing was deleted.'],
  ])('asks for the id in a terminal; the response is %s', async (type, code, left, shown) => {
    const stop = { stopAt: 'Type its id: ', type: `${type}\r` };
    const ended = await runInTerminal('plants', ['delete', '7', '--data', data], stop);
    expect(ended.output).toContain(`The local store, table Plants:\r\n${IVY}\r\n`);
    expect(ended.output).toContain(shown);
    expect([ended.code, await server.item('7')]).toEqual([code, left]);
    await server.post(IVY);
  });

  test('writes items that are not plants of this version as they are, and says that an import refuses them', async () => {
    const B = new Uint8Array([1, 2, 255]);
    const items: PutItemCommandInput['Item'][] = [
      { ...itemOf('2'), price: { N: '12345678901234567890.5' }, isNew: { BOOL: false }, a: { S: '"' } },
      { ...itemOf('3'), [TEXT]: { N: '5' } },
      { id: { N: '4.5' }, raw: { B } },
      { id: { N: '9223372036854775808' }, list: { L: [{ NULL: true }] } },
    ];
    for (const Item of items)
      await server.client.send(new PutItemCommand({ TableName: LOCAL_TABLES.plants, Item }));
    const { code, out, err } = await plants('export');
    const others = [
      { ...JSON.parse(bodyOf(2)), price: Number('12345678901234567890.5'), isNew: false, a: '"' },
      { ...JSON.parse(bodyOf(3)), [TEXT]: 5 },
      { id: 4.5, raw: { B: 'AQL/' } },
      { id: 2 ** 63, list: { L: [{ NULL: true }] } },
    ];
    const found = sorted(out);
    expect(found).toEqual(expect.arrayContaining(ALL));
    const rest = found.filter((line) => !ALL.includes(line) && !line.startsWith(bodyOf(-8).slice(0, 8)));
    expect(rest.map((line) => JSON.parse(line))).toEqual(others);
    expect(out).toContain('"price":12345678901234567890.5');
    expect(err).toMatch(
      /\nAn import would refuse 4, which are no plants of this version: the first is [\d.]+\.$/m,
    );
    expect(code).toBe(0);
    expect((await plants('delete', '2', '--yes')).out).toBe(`${rest[0]}\n`);
  });

  test.each<[string[], 1 | 2, string]>([
    [['export', '--table', 'AccessTokens'], 1, 'AccessTokens is not a table of plants; its key is not the'],
    [['export', '--table', 'None'], 1, 'the table None cannot be described: ResourceNotFoundException'],
    [['exprot'], 2, 'Use one of: export, delete; --help shows more.'],
    [['export', 'a', 'b'], 2, 'Unexpected argument b'],
    [['export', ''], 2, 'An argument must not be empty.'],
    [['export', '/dev/null'], 1, '/dev/null is not a file.'],
    [['export', '--id', '7', '--rate', '5'], 2, '--id and --rate cannot be used together.'],
    [['export', '--yes'], 2, "Unknown option '--yes'"],
    [['delete', '7', '--ids', 'a', '--yes'], 2, 'Give either an ID or --ids IDSFILE.'],
    [['delete', '7', '--rate', '5'], 2, "Unknown option '--rate'"],
    [['delete', '--ids', 'none', '--yes'], 1, 'none cannot be read (ENOENT).'],
    [['delete', '7'], 2, 'There is no terminal to ask on; add --yes.'],
    [['delete', '1e3', '--yes'], 2, 'The id must be an integer from -9223372036854775808 to '],
    [['export', '--id', '9223372036854775808'], 2, 'The id must be an integer from '],
    [['export', '--rate', '0'], 2, 'from 1 to 1000000.'],
    [['export', '--stage', 'dev'], 2, '--stage and --data cannot be used together.'],
  ])('%j is refused in one line', async (args, code, message) => {
    const { err, ...others } = await plants(...args);
    expect(others).toEqual({ code, out: '' });
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).toContain(message);
  });
});

describe('npm run plants -- --stage', () => {
  const key = { AttributeName: 'id', KeyType: 'HASH', AttributeType: 'N' };
  const deployed = {
    ...stack('CREATE_COMPLETE', { PlantsTable: 'PlantStore-dev-Plants' }),
    DescribeTable: is({ Table: { ItemCount: 5, KeySchema: [key], AttributeDefinitions: [key] } }),
  };
  const DENIED = error('AccessDeniedException', 'User: ann');
  const WORDS = ['export', '--stage', 'dev', '--parallel', '1'];
  const item = (id: number) => itemOf(`${id}`);
  /** A page of a Scan: plants with these ids, and whether more follow. */
  const page = (ids: number[], isLast = true) =>
    is({
      Items: ids.map(item),
      Count: ids.length,
      ...(!isLast && { LastEvaluatedKey: keyOf(`${ids.at(-1)}`) }),
    });
  const first = page([1, 2], false);
  /** A first page, and this response to what comes after it. */
  const firstThen = (last: Reply): Responses => ({
    ...deployed,
    Scan: ({ ExclusiveStartKey }) => (ExclusiveStartKey ? last : first),
  });
  /** Pages of one plant each, which never end. */
  const ENDLESS: Responses = {
    ...deployed,
    Scan: ({ ExclusiveStartKey: start }) => page([Number(Object(start).id?.N ?? 0) + 1], false),
  };

  test('reads the table of the outputs with consistent reads, and each page from the end of the last', async () => {
    const { code, out, inputs } = await runWithAws('plants', WORDS, firstThen(page([3])));
    const scans = inputs('Scan');
    const common = { TableName: 'PlantStore-dev-Plants', ConsistentRead: true, Segment: 0, TotalSegments: 1 };
    expect(scans).toMatchObject([common, { ...common, ExclusiveStartKey: { id: { N: '2' } } }]);
    // The ceiling of dev allows 100 read units a second.
    expect(scans.map(({ Limit }) => Limit)).toEqual([100, 100]);
    expect(sorted(out)).toEqual([1, 2, 3].map((id) => bodyOf(id)));
    expect(code).toBe(0);
  });

  const EXPIRED = 'Stage dev: ExpiredTokenException: Expired.';
  test('an error of AWS leaves the earlier file as it was, and standard output with a whole line', async () => {
    const responses = firstThen(error('ExpiredTokenException', 'Expired'));
    expect(await runWithAws('plants', WORDS, responses)).toMatchObject({
      code: 1,
      out: `${bodyOf(1)}\n${bodyOf(2)}\n`,
      err: `${EXPIRED} Of the plants, 2 were written to standard output; the last line may be cut.\n`,
    });
    const file = path.join(temporaryFolder(), 'a');
    writeFileSync(file, 'earlier');
    const err = `${EXPIRED} ${file} is as it was before; the 2 plants that were read are discarded.\n`;
    expect(await runWithAws('plants', [...WORDS, file], responses)).toMatchObject({ code: 1, err });
    expect([readdirSync(path.dirname(file)), readFileSync(file, 'utf8')]).toEqual([['a'], 'earlier']);
    expect((await runWithAws('plants', [...WORDS, file], { ...deployed, Scan: page([]) })).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test.each<[string, (child: ChildProcess) => void, string]>([
    ['SIGHUP', (child) => child.kill('SIGHUP'), 'The export was interrupted. Of the plants, '],
    [
      'a reader that goes away',
      ({ stdout }) => stdout?.destroy(),
      'standard output cannot be written to (EPIPE). ',
    ],
  ])('%s ends an export that would never end, with exit code 1', async (_, act, reason) => {
    const aws = await startAws(ENDLESS);
    const tool = startCommand('plants', ['export', '--stage', 'dev', '--rate', '100000'], { env: aws.env });
    await new Promise((resolve) => tool.child.stdout.once('data', resolve));
    act(tool.child);
    const { code, out, err } = await tool.ended;
    aws.close();
    expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
    expect(out).toMatch(/}\n$/);
  });

  const got = (Key: unknown) => item(Number(Object(Key).id.N));
  const GetItem: Responses['GetItem'] = ({ Key }) => is({ Item: got(Key) });
  const DELETE = ['delete', '--yes', '--parallel', '1', '--stage', 'dev'];
  test.each<[string, Responses, string, number]>([
    ['of no plant', { GetItem: is({}) }, 'Stage dev has no plant 1.', 0],
    [
      'that reads another plant',
      { GetItem: is({ Item: item(2) }) },
      'cannot be read: The store gave the item 2',
      0,
    ],
    ['that is denied', { DeleteItem: DENIED }, 'may still be there: AccessDeniedException', 1],
    ['without a response', { DeleteItem: raw(200, '') }, 'may still be there: The store gave a damaged', 1],
  ])('a delete %s is no success', async (_, responses, message, printed) => {
    const ended = await runWithAws('plants', [...DELETE, '1'], { ...deployed, GetItem, ...responses });
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    expect(sorted(ended.out).length).toBe(printed);
  });

  test('a deletion that stops halfway says what is deleted, and has printed each of these', async () => {
    let deletions = 0;
    const DeleteItem: Responses['DeleteItem'] = ({ Key }) => {
      deletions += 1;
      return deletions > 2 ? DENIED : is({ Attributes: got(Key) });
    };
    const words = [...DELETE, '--ids', idsFile('1\n2\n3\n4\n5\n')];
    const { code, out, err } = await runWithAws('plants', words, { ...deployed, GetItem, DeleteItem });
    expect([code, sorted(out).length]).toEqual([1, 3]);
    expect(err).toMatch(/ Deleted from PlantStore-dev-Plants: 2\. Not there: 0\. May still be there: 3\.\n$/);
  });

  test('an interrupted deletion begins no other, and says how many are deleted', async () => {
    let deletions = 0;
    const DeleteItem: Responses['DeleteItem'] = ({ Key }) => {
      deletions += 1;
      if (deletions === 5) tool.child.kill('SIGTERM');
      return is({ Attributes: got(Key) });
    };
    const aws = await startAws({ ...deployed, GetItem, DeleteItem });
    const ids = idsFile(Array.from({ length: 2_000 }, (_, id) => `${id}\n`).join(''));
    const words = ['delete', '--yes', '--ids', ids, '--stage', 'dev'];
    const tool = startCommand('plants', words, { env: aws.env });
    const { code, out, err } = await tool.ended;
    aws.close();
    const counts = `: ${deletions}. Not there: 0. May still be there: ${2_000 - deletions}.\n`;
    expect([code, err]).toEqual([1, expect.stringContaining(counts)]);
    expect([deletions < 2_000, sorted(out).length >= deletions]).toEqual([true, true]);
  });

  test('a plant that was replaced after it was printed is printed as it was deleted, too', async () => {
    const DeleteItem = is({ Attributes: { ...item(1), [TEXT]: { S: 'later' } } });
    const responses = { ...deployed, GetItem, DeleteItem };
    const { code, out, err, inputs } = await runWithAws('plants', [...DELETE, '1'], responses);
    expect(inputs('GetItem')).toMatchObject([{ ConsistentRead: true }]);
    expect([code, out]).toEqual([0, `${bodyOf(1)}\n${bodyOf(1, { ...LEAST, [TEXT]: 'later' })}\n`]);
    expect(err).toContain('Copies remain in backups and logs: ');
  });

  const NO_PAGE = 'response to Scan';
  test.each<[string, Reply, string]>([
    ['nothing', raw(200, ''), 'a damaged response'],
    ['a null among the items', raw(200, '{"Items":[null],"Count":1}'), NO_PAGE],
    ['fewer items than it counts', is({ Items: [item(3)], Count: 2 }), NO_PAGE],
    ['the key of the page before', page([2], false), 'The store repeats the key 2: its pages would not end.'],
  ])('a response with %s does not end an export as its last page would', (_, last, message) =>
    withAws(firstThen(last), async () => {
      const lines = withPlants({ stage: 'dev' }, async ({ client }) => {
        await exported(client, 1);
      });
      await expect(lines).rejects.toThrow(message);
    }),
  );

  test('a read that fails five times is tried a sixth time', async () => {
    let scans = 0;
    const Scan = () => {
      scans += 1;
      return scans <= 5 ? error('InternalServerError', 'Again', 500) : page([1]);
    };
    expect([(await runWithAws('plants', WORDS, { ...deployed, Scan })).code, scans]).toEqual([0, 6]);
  });

  test.each([
    [['export'], 'standard output cannot be written to (EFBIG). Of the plants, 0 were written to'],
    [['export', 'a'], 'a cannot be written to (EFBIG). a is as it was before; the 0 plants that'],
    [
      ['delete', '1', '--yes'],
      'standard output cannot be written to (EFBIG). Deleted from PlantStore-dev-Plants: 0.',
    ],
  ])('a full disk is noticed by %j; no line is cut, and nothing is deleted', async (words, err) => {
    const cwd = temporaryFolder();
    const Scan = page(Array.from({ length: 1_000 }, (_, id) => id));
    const long = is({ Item: itemOf('1', { ...LEAST, [TEXT]: 'F'.repeat(30_000) }) });
    const aws = await startAws({ ...deployed, GetItem: long, Scan });
    // Blocks of 512 bytes.
    const options = { env: aws.env, cwd, limit: '-f 40', into: path.join(cwd, 'out') };
    const tool = startCommand('plants', [...words, '--parallel', '1', '--stage', 'dev'], options);
    tool.child.stdin.end();
    expect(await tool.ended).toMatchObject({ code: 1, err: expect.stringContaining(`Stage dev: ${err}`) });
    aws.close();
    expect([readdirSync(cwd), statSync(path.join(cwd, 'out')).size]).toEqual([['out'], 0]);
  });
});

test('the rate of reads is kept by small pages, with pauses between them', async () => {
  let now = 0;
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    now += ms;
  };
  const rate = new ReadRate(20, { now: () => now, pause });
  const asked: number[] = [];
  /** Takes a tenth of a second; an item costs half a unit. */
  const read = async (most: number) => {
    asked.push(most);
    now += 100;
    return { items: most, units: most / 2 };
  };
  const signal = new AbortController().signal;
  await Promise.all([1, 2, 3, 4].map(() => rate.page(read, signal)));
  // A page for one second: 20 plants as if each cost one unit, then 40.
  expect(asked).toEqual([20, 40, 40, 40]);
  expect(pauses).toEqual([500, 1000, 1000]);
});
