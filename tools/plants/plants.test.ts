import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type DynamoDBClient, PutItemCommand, type PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { bodyOf, LEAST, OTHER, TEXT, WHOLE } from '../../contract/examples.ts';
import { createGateway } from '../../local/gateway.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { PlainError } from '../../terminal/plain-error.ts';
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
import { someOf } from '../../test/support/exhaustive.ts';
import { listen } from '../../test/support/listen.ts';
import { startCommand, startLocalProcess, temporaryFolder } from '../../test/support/local-process.ts';
import { hasTerminal, npmRun, runHere, runInTerminal, runWithAws } from '../../test/support/run-command.ts';
import { itemOf } from '../../test/support/stored-item.ts';
import { plantEvent, startTestService, type TestService } from '../../test/support/test-service.ts';
import { importPlants } from '../import/import-plants.ts';
import { deleteCommand } from './delete-command.ts';
import { exportPlants } from './export-plants.ts';
import { keyOf, withPlants } from './plants-table.ts';
import { ReadRate } from './read-rate.ts';

/** The lines of an export, in a fixed order. */
const CONTROL = { ...WHOLE, [TEXT]: 'Fern\u0000\u009b' };
const item = (id: number) => itemOf(`${id}`);
const sorted = (text: string) => text.split('\n').filter(Boolean).sort();

/** The lines of an export of all plants of a store. */
async function exported(client: DynamoDBClient, segments: number): Promise<string[]> {
  let output = '';
  const write = (lines: string) => {
    output += lines;
  };
  const rate = new ReadRate(undefined);
  const job = { client, table: LOCAL_TABLES.plants, segments, rate, write, onPage: () => undefined };
  const done = { plants: 0, others: 0, firstOther: undefined };
  await exportPlants({ ...job, stop: new AbortController() }, done);
  expect(done).toEqual({ plants: sorted(output).length, others: 0, firstOther: undefined });
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

describe('npm run plants', async () => {
  const data = temporaryFolder();
  const server = await startLocalProcess(data);
  afterAll(() => server.end());
  const LARGE = bodyOf(9223372036854775807n, CONTROL);
  const OAK = bodyOf(7, { ...LEAST, [TEXT]: '' });
  const ALL = [bodyOf(-5), OAK, LARGE];
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
    expect((await plants('export', '--id=-5')).out).toBe(`${bodyOf(-5)}\n`);
  });

  test('deletes a plant and prints it; the service stores it again', async () => {
    await server.post(bodyOf(-8));
    const { code, out, err } = await runHere('plants', ['delete', '--yes', '--data', data, '--', '-8']);
    expect([code, out]).toEqual([0, `${bodyOf(-8)}\n`]);
    expect(err).toMatch(/^Deleted from Plants\. A client that retries creates it again\./);
    expect(await server.item('-8')).toBeUndefined();
    expect((await server.post(bodyOf(-8, OTHER))).status).toBe(200);
  });

  test.skipIf(!hasTerminal).each([
    ['7', 0, undefined, OAK],
    ['y', 1, { id: '7', ...LEAST, [TEXT]: '' }, 'Nothing was deleted.'],
  ])('asks for the id in a terminal; the response is %s', async (type, code, left, shown) => {
    const stop = { stopAt: 'Type its id: ', type: `${type}\r` };
    const ended = await runInTerminal('plants', ['delete', '7', '--data', data], stop);
    expect(ended.output).toContain(`The local store, table Plants:\r\n${OAK}\r\n`);
    expect(ended.output).toContain(shown);
    expect([ended.code, await server.item('7')]).toEqual([code, left]);
    await server.post(OAK);
  });

  test.skipIf(!hasTerminal)('shows control characters as the escapes of JSON in a terminal', async () => {
    const { output } = await runInTerminal('plants', ['export', '--id=9223372036854775807', '--data', data]);
    expect(output).toBe(`${bodyOf(9223372036854775807n, CONTROL).replace('\u009b', '\\u009b')}\r\n`);
  });

  test('leaves out what is not a plant, says so, and exits with 1', async () => {
    const items: PutItemCommandInput['Item'][] = [
      { ...item(2), price: { N: '5' } },
      { ...item(3), [TEXT]: { N: '5' } },
      item(4.5),
      itemOf('9223372036854775808'),
      { ...item(6), [TEXT]: { NULL: true } },
    ];
    for (const Item of items)
      await server.client.send(new PutItemCommand({ TableName: LOCAL_TABLES.plants, Item }));
    const { code, out, err } = await plants('export');
    expect(sorted(out)).toEqual(expect.arrayContaining(ALL));
    expect(out).not.toMatch(/"id":(2|3|4\.5|9223372036854775808|6),/);
    expect(err).toMatch(/\nLeft out, because they are not plants: 5 items, the first with the id [\d.]+\.$/m);
    expect(code).toBe(1);
  });

  test.each<[string[], 1 | 2, string]>([
    [['export', '--table', 'AccessTokens'], 1, 'AccessTokens is not a table of plants; its key is not the'],
    [['export', '--table', 'None'], 1, 'the table None cannot be described: ResourceNotFoundException'],
    [['export', 'a', 'b'], 2, 'Use one of: export [FILE] [--id N], delete ID [--yes]; --help shows more.'],
    [['export', '--yes'], 2, 'Use one of: '],
    [['delete'], 2, 'Use one of: '],
    [['delete', '7', '--id', '7', '--yes'], 2, 'Use one of: '],
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

  test('an error of AWS ends the output with a whole line, and the exit code is 1', async () => {
    const expired = error('ExpiredTokenException', 'Expired');
    const ended = await runWithAws('plants', WORDS, firstThen(expired));
    expect(ended).toMatchObject({
      code: 1,
      out: `${bodyOf(1)}\n${bodyOf(2)}\n`,
      err: 'Stage dev: ExpiredTokenException: Expired. In standard output is only a part of the plants (2), up to a whole line.\n',
    });
  });

  test('an export that cannot begin leaves the earlier one, and makes no new file; one of no plants is empty', async () => {
    const folder = temporaryFolder();
    const [earlier, none] = [path.join(folder, 'earlier.ndjson'), path.join(folder, 'none.ndjson')];
    writeFileSync(earlier, 'earlier');
    for (const file of [earlier, none]) {
      const ended = await runWithAws('plants', [...WORDS, file], { ...deployed, Scan: DENIED });
      const err = `Stage dev: AccessDeniedException: User: ann. No plant was written to ${file}.\n`;
      expect(ended).toMatchObject({ code: 1, err });
    }
    expect([readdirSync(folder), readFileSync(earlier, 'utf8')]).toEqual([['earlier.ndjson'], 'earlier']);
    expect((await runWithAws('plants', [...WORDS, earlier], { ...deployed, Scan: page([]) })).code).toBe(0);
    expect(readFileSync(earlier, 'utf8')).toBe('');
  });

  const UNKNOWN = 'What standard output has now is not known; its last line may be cut.';
  const EPIPE = `standard output cannot be written to (EPIPE). ${UNKNOWN}`;
  const PART = 'The export was interrupted. In standard output is only a part of the plants (';
  test.each<[string, (child: ChildProcess) => void, string]>([
    ['SIGHUP', (child) => child.kill('SIGHUP'), PART],
    ['a reader that goes away', ({ stdout }) => stdout?.destroy(), EPIPE],
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

  const DAMAGED = 'The store gave a damaged response (status 20';
  const WHERE = 'Stage dev: the plant 1';
  const GONE = `${WHERE} is gone, but not by this attempt. An earlier attempt whose response was lost, or another command, has removed it. Before, it was: ${bodyOf(1)}`;
  const THERE = `${WHERE} is there: it was not deleted, or was stored again meanwhile. It is: ${bodyOf(1)}`;
  const DOUBT = `${WHERE} may still be there:`;
  const gave = (id: number) => `The store gave the item ${id} for the plant 1.`;
  const FOREIGN = is({ Attributes: item(1) }, { 'content-type': 'text/html' });
  /** There once, and then no more. */
  const gone = () => {
    let reads = 0;
    return () => {
      reads += 1;
      return is(reads === 1 ? { Item: item(1) } : {});
    };
  };

  test.each<[string, Responses, string]>([
    ['of no plant', { GetItem: is({}) }, 'Stage dev has no plant 1.'],
    ['that reads another plant', { GetItem: is({ Item: item(2) }) }, `${WHERE} cannot be read: ${gave(2)}`],
    ['that is denied', { DeleteItem: DENIED }, `${DOUBT} AccessDeniedException: User: ann`],
    ['whose first response was lost', { GetItem: gone(), DeleteItem: is({}) }, GONE],
    ['that deletes nothing', { DeleteItem: is({}) }, THERE],
    ['that deletes another plant', { DeleteItem: is({ Attributes: item(6) }) }, `${DOUBT} ${gave(6)}`],
    ['without a response', { DeleteItem: raw(200, '') }, `${DOUBT} ${DAMAGED}0).`],
    ['by another', { DeleteItem: FOREIGN }, `${DOUBT} The store gave a foreign response (status 200).`],
  ])('a delete %s is no success', (_, responses, message) =>
    withAws({ ...deployed, GetItem: is({ Item: item(1) }), ...responses }, async (calls) => {
      const deletion = withPlants({ stage: 'dev' }, (plants) => deleteCommand(plants, '1', true));
      await expect(deletion).rejects.toThrow(new PlainError(message));
      const reads = calls.filter(({ operation }) => operation === 'GetItem');
      for (const { input } of reads) expect(input).toMatchObject({ ConsistentRead: true });
    }),
  );

  const NO_PAGE = 'response to Scan';
  test.each<[string, Reply, string]>([
    ['nothing', raw(200, ''), DAMAGED],
    ['a status alone', raw(204, ''), DAMAGED],
    ['another checksum', is({ Items: [], Count: 0 }, { 'x-amz-crc32': '1' }), DAMAGED],
    ['another media type', FOREIGN, 'a foreign response'],
    ['an empty object', raw(200, '{}'), NO_PAGE],
    ['no count', raw(200, '{"Items":[]}'), NO_PAGE],
    ['an object for items', raw(200, '{"Items":{"length":0},"Count":0}'), NO_PAGE],
    ['a null among the items', raw(200, '{"Items":[null],"Count":1}'), NO_PAGE],
    ['fewer items than it counts', is({ Items: [item(3)], Count: 2 }), NO_PAGE],
    ['a key that is none', is({ Items: [], Count: 0, LastEvaluatedKey: {} }), NO_PAGE],
    ['the key of the page before', page([2], false), 'The store repeats the key 2: its pages would not end.'],
  ])('a response with %s does not end an export as its last page would', (_, last, message) =>
    withAws(firstThen(last), async () => {
      const lines = withPlants({ stage: 'dev' }, async ({ client }) => {
        await exported(client, 1);
      });
      await expect(lines).rejects.toThrow(message);
    }),
  );

  const ATTEMPTS = [[undefined, 6, 0] as const, ['2', 2, 1] as const];
  test.each(someOf(ATTEMPTS, 'settings of AWS_MAX_ATTEMPTS'))(
    'with AWS_MAX_ATTEMPTS=%s, a read that fails five times is tried %i times',
    async (most, tries, code) => {
      let scans = 0;
      const Scan = () => {
        scans += 1;
        return scans <= 5 ? error('InternalServerError', 'Again', 500) : page([1]);
      };
      const aws = await startAws({ ...deployed, Scan });
      const ended = await npmRun('plants', WORDS, { env: { ...aws.env, AWS_MAX_ATTEMPTS: most } });
      aws.close();
      expect([scans, ended.code]).toEqual([tries, code]);
    },
  );

  const WITH_TEXT = { ...LEAST, [TEXT]: 'F'.repeat(30_000) };
  const LONG = itemOf('1', WITH_TEXT);
  const FULL = 'cannot be written to (EFBIG).';
  const CUT = `Stage dev: standard output ${FULL} ${UNKNOWN}`;
  const NOT_PRINTED = `The plant is deleted from PlantStore-dev-Plants, but not printed: standard output ${FULL} It was: ${bodyOf(1, WITH_TEXT)}`;
  const DISKS: [what: string, words: string[], err: string, isCut?: false][] = [
    ['the last page of an export', ['export', '--parallel', '1'], CUT],
    ['the only plant', ['export', '--id', '1'], CUT],
    ['a page in a file', ['export', 'a'], `Stage dev: a ${FULL} No plant was written to a.`, false],
    ['a plant that is deleted', ['delete', '1', '--yes'], NOT_PRINTED],
  ];
  test.each(someOf(DISKS, 'full disks'))('a disk that becomes full in %s is noticed', async (...row) => {
    const [, words, err, isCut = true] = row;
    const cwd = temporaryFolder();
    // A line is 24 bytes or more, so the page is cut.
    const Scan = page(Array.from({ length: 1_000 }, (_, id) => id));
    const plant = { GetItem: is({ Item: LONG }), DeleteItem: is({ Attributes: LONG }) };
    const aws = await startAws({ ...deployed, ...plant, Scan });
    // Blocks of 512 bytes.
    const options = { env: aws.env, cwd, limit: '-f 40', into: path.join(cwd, 'out') };
    const tool = startCommand('plants', [...words, '--stage', 'dev'], options);
    tool.child.stdin.end();
    expect(await tool.ended).toMatchObject({ code: 1, err: `${err}\n` });
    aws.close();
    const { size } = statSync(path.join(cwd, 'out'));
    expect([readdirSync(cwd), size]).toEqual([['out'], isCut ? 20_480 : 0]);
  });

  test.each([
    ['a', ['export', 'a']],
    ['standard output', ['export']],
  ])(
    'an export into %s keeps a second one out of a file, and fails if something else truncates it',
    async (name, words) => {
      const cwd = temporaryFolder();
      const file = path.join(cwd, 'a');
      const aws = await startAws(ENDLESS);
      const into = name === 'a' ? undefined : file;
      const first = startCommand('plants', [...words, '--stage', 'dev', '--rate', '100000'], {
        env: aws.env,
        cwd,
        ...(into && { limit: '-f unlimited', into }),
      });
      while (!statSync(file, { throwIfNoEntry: false })?.size) await pause(20);
      const again = () => runWithAws('plants', [...WORDS, file], { ...deployed, Scan: page([9]) });
      if (!into) {
        const err = `Another command is writing ${file}. If that is not so, delete ${file}.lock first.\n`;
        expect(await again()).toMatchObject({ code: 1, err });
      }
      truncateSync(file);
      const CHANGED = 'does not have the lines that were written to it: something else has changed it.';
      const err = `Stage dev: ${name} ${CHANGED} ${UNKNOWN.replace('standard output', name)}\n`;
      expect(await first.ended).toMatchObject({ code: 1, err });
      aws.close();
      expect([(await again()).code, readFileSync(file, 'utf8')]).toEqual([0, `${bodyOf(9)}\n`]);
      expect(readdirSync(cwd)).toEqual(['a']);
    },
  );
});

test('the rate of reads is kept by small pages, read one at a time, with pauses between them', async () => {
  let now = 0;
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    now += ms;
  };
  const rate = new ReadRate(20, { now: () => now, pause });
  const asked: number[] = [];
  let open = 0;
  /** Takes a tenth of a second; an item costs half a unit. */
  const read = async (most: number) => {
    open += 1;
    expect(open).toBe(1);
    asked.push(most);
    await Promise.resolve();
    now += 100;
    open -= 1;
    return { items: most, units: most / 2 };
  };
  const signal = new AbortController().signal;
  await Promise.all([1, 2, 3, 4].map(() => rate.page(read, signal)));
  // A page for one second: 20 plants as if each cost one unit, then 40.
  expect(asked).toEqual([20, 40, 40, 40]);
  expect(pauses).toEqual([500, 1000, 1000]);
});
