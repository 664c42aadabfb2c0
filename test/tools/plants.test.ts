import type { ChildProcess } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PutItemCommand, type PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../local/gateway.ts';
import { LOCAL_TABLES } from '../../local/tables.ts';
import { OwnFile } from '../../terminal/own-file.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { importPlants } from '../../tools/import/import-plants.ts';
import { deleteCommand } from '../../tools/plants/delete-command.ts';
import { exportPlants } from '../../tools/plants/export-plants.ts';
import { withPlants } from '../../tools/plants/plants-table.ts';
import { ReadRate } from '../../tools/plants/read-rate.ts';
import { type Answers, error, is, stack, startAws, withAws } from '../support/aws-stand-in.ts';
import { listen } from '../support/listen.ts';
import { startLocalProcess, startTool, temporaryFolder } from '../support/local-process.ts';
import { plantEvent, startTestService, type TestService } from '../support/test-service.ts';
import { expectRefusal, hasTerminal, runInTerminal, runTool, runWithAws } from './run-tool.ts';

/** The lines of an export, in a fixed order. */
const sorted = (text: string) => text.split('\n').filter(Boolean).sort();

/** The lines of an export of all plants of a service. */
async function exported({ client }: TestService, segments: number): Promise<string[]> {
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
  const progress = { next: { offset: 0, line: 1 }, stored: 0, refused: {} };
  await importPlants(
    {
      input: { file, size: 0 },
      format: 'ndjson',
      fromLine: undefined,
      service: { url: await listen(gateway), token },
      parallel: 8,
      refused: new OwnFile(`${file}.refused.ndjson`),
      stop: new AbortController(),
    },
    progress,
  );
  gateway.close();
  return progress;
}

test('an export that is imported into an empty store gives the same plants, digit for digit', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  const int64 = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n, 2n ** 53n + 1n, 0n, -1n, 10n ** 18n),
  );
  const plant = fc.record({ id: int64, name: text, tag: fc.option(text, { nil: undefined }) });
  const plants = fc.uniqueArray(plant, { selector: ({ id }) => id, minLength: 200, maxLength: 200 });
  const [given = []] = fc.sample(plants, 1);
  const lines = given.map(({ id, ...texts }) => `{"id":${id},${JSON.stringify(texts).slice(1)}`);
  const [first, second] = await Promise.all([startTestService(), startTestService()]);
  for (const line of lines) expect((await first.handler(plantEvent(first.token, line))).statusCode).toBe(200);
  const output = await exported(first, 1);
  expect(output).toEqual(lines.sort());
  for (const segments of [2, 9]) expect(await exported(first, segments)).toEqual(output);
  expect(await imported(second, output)).toMatchObject({ stored: given.length, refused: {} });
  expect(await exported(second, 1)).toEqual(output);
  await Promise.all([first.close(), second.close()]);
});

describe('npm run plants', async () => {
  const data = temporaryFolder();
  const server = await startLocalProcess(data);
  afterAll(() => server.end());
  const LARGE = '{"id":9223372036854775807,"name":"Fern\\u0000\u009b","tag":"shade"}';
  const plants = (...args: string[]) => runTool('plants', [...args, '--data', data]);
  for (const body of [LARGE, '{"id":-5,"name":"Moss"}', '{"id":7,"name":"Oak","tag":""}'])
    expect((await server.post(body)).status).toBe(200);
  const ALL = [LARGE, '{"id":-5,"name":"Moss"}', '{"id":7,"name":"Oak","tag":""}'].sort();

  test('exports the plants of a running service to standard output, and says that it is no snapshot', async () => {
    const { code, out, err } = await plants('export');
    expect(sorted(out)).toEqual(ALL);
    expect(err).toBe(
      'Plants in standard output: 3. Those stored or deleted meanwhile may be among them or not.\n',
    );
    expect(code).toBe(0);
  });

  test('exports into a file that only its owner can read, in place of an earlier export', async () => {
    const file = path.join(temporaryFolder(), 'a.ndjson');
    writeFileSync(file, 'earlier\n'.repeat(100), { mode: 0o644 });
    const { code, out } = await plants('export', file, '--rate', '50', '--parallel', '3');
    expect([code, out]).toEqual([0, '']);
    expect(sorted(readFileSync(file, 'utf8'))).toEqual(ALL);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('exports one plant by its id, also a negative one', async () => {
    expect((await plants('export', '--id=-5')).out).toBe('{"id":-5,"name":"Moss"}\n');
  });

  test('deletes a plant and prints it; the service stores it again', async () => {
    await server.post('{"id":-8,"name":"Ash"}');
    const { code, out, err } = await runTool('plants', ['delete', '--yes', '--data', data, '--', '-8']);
    expect([code, out]).toEqual([0, '{"id":-8,"name":"Ash"}\n']);
    expect(err).toMatch(/^Deleted from Plants\. A client that sends it again creates it again\./);
    expect(await server.item('-8')).toBeUndefined();
    expect((await server.post('{"id":-8,"name":"Another"}')).status).toBe(200);
  });

  test.skipIf(!hasTerminal).each([
    ['7', 0, undefined, '{"id":7,"name":"Oak","tag":""}'],
    ['y', 1, { id: '7', name: 'Oak', tag: '' }, 'Nothing was deleted.'],
  ])('asks for the id in a terminal; the answer is %s', async (type, code, left, shown) => {
    const stop = { stopAt: 'Type its id: ', type: `${type}\r` };
    const ended = await runInTerminal('plants', ['delete', '7', '--data', data], stop);
    expect(ended.output).toContain('The local store, table Plants:\r\n{"id":7,"name":"Oak","tag":""}\r\n');
    expect(ended.output).toContain(shown);
    expect([ended.code, await server.item('7')]).toEqual([code, left]);
    await server.post('{"id":7,"name":"Oak","tag":""}');
  });

  test.skipIf(!hasTerminal)('shows control characters as the escapes of JSON in a terminal', async () => {
    const { output } = await runInTerminal('plants', ['export', '--id=9223372036854775807', '--data', data]);
    expect(output).toBe('{"id":9223372036854775807,"name":"Fern\\u0000\\u009b","tag":"shade"}\r\n');
  });

  test('leaves out what is not a plant, says so, and exits with 1', async () => {
    const items: PutItemCommandInput['Item'][] = [
      { id: { N: '2' }, name: { S: 'Fern' }, price: { N: '5' } },
      { id: { N: '3' }, name: { N: '5' } },
      { id: { N: '4.5' }, name: { S: 'Fern' } },
      { id: { N: '9223372036854775808' }, name: { S: 'Fern' } },
      { id: { N: '6' }, name: { S: 'Fern' }, tag: { NULL: true } },
    ];
    for (const Item of items)
      await server.client.send(new PutItemCommand({ TableName: LOCAL_TABLES.plants, Item }));
    const { code, out, err } = await plants('export');
    expect(sorted(out)).toEqual(expect.arrayContaining(ALL));
    expect(out).not.toMatch(/"id":(2|3|4\.5|9223372036854775808|6),/);
    expect(err).toMatch(
      /\nLeft out, because they are not plants: 5 items, the first with the id [\d.]+\.\n$/,
    );
    expect(code).toBe(1);
  });

  test.concurrent.each<[string[], 1 | 2, string | RegExp]>([
    [['export', '--table', 'AccessTokens'], 1, 'AccessTokens is not a table of plants; its key is not the'],
    [['export', '--table', 'None'], 1, 'the table None cannot be described: ResourceNotFoundException'],
    [['export', 'a', 'b'], 2, 'Use one of: export [FILE] [--id N], delete ID [--yes]; --help shows more.'],
    [['export', '--yes'], 2, 'Use one of: '],
    [['delete'], 2, 'Use one of: '],
    [['delete', '7', '--id', '7', '--yes'], 2, 'Use one of: '],
    [['delete', '7'], 2, 'There is no terminal to ask on; add --yes.'],
    [['delete', '1e3', '--yes'], 2, 'The id must be an integer from -9223372036854775808 to '],
    [['export', '--id', '9223372036854775808'], 2, 'The id must be an integer from '],
    [['export', '--rate', '0'], 2, '--rate must be a whole number from 1 to 1000000.'],
    [['export', '--stage', 'dev'], 2, '--stage and --data cannot be used together.'],
  ])('%j is refused in one line', (args, code, message) =>
    expectRefusal('plants', [...args, '--data', data], { code, message }),
  );
});

describe('npm run plants -- --stage', () => {
  const KEY = [{ AttributeName: 'id', KeyType: 'HASH' }];
  const table = is({
    Table: {
      ItemCount: 5,
      KeySchema: KEY,
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
    },
  });
  const deployed = {
    ...stack('CREATE_COMPLETE', { PlantsTable: 'PlantStore-dev-Plants' }),
    DescribeTable: table,
  };
  const WORDS = ['export', '--stage', 'dev', '--parallel', '1'];
  const item = (id: number) => ({ id: { N: `${id}` }, name: { S: 'Fern' } });
  const first = is({ Items: [item(1), item(2)], LastEvaluatedKey: { id: { N: '2' } } });

  test('reads the table of the outputs with consistent reads, and each page from the end of the last', async () => {
    const { code, out, inputs } = await runWithAws('plants', WORDS, {
      ...deployed,
      Scan: ({ ExclusiveStartKey }) => (ExclusiveStartKey ? is({ Items: [item(3)] }) : first),
    });
    const scans = inputs('Scan');
    const common = { TableName: 'PlantStore-dev-Plants', ConsistentRead: true, Segment: 0, TotalSegments: 1 };
    expect(scans).toMatchObject([common, { ...common, ExclusiveStartKey: { id: { N: '2' } } }]);
    // The ceiling of dev allows 100 read units a second.
    expect(scans.map(({ Limit }) => Limit)).toEqual([100, 100]);
    expect(sorted(out)).toEqual([1, 2, 3].map((id) => `{"id":${id},"name":"Fern"}`));
    expect(code).toBe(0);
  });

  test('an error of AWS ends the output with a whole line, and the exit code is 1', async () => {
    const ended = await runWithAws('plants', WORDS, {
      ...deployed,
      Scan: ({ ExclusiveStartKey }) =>
        ExclusiveStartKey ? error('ExpiredTokenException', 'Expired') : first,
    });
    expect(ended).toMatchObject({
      code: 1,
      out: '{"id":1,"name":"Fern"}\n{"id":2,"name":"Fern"}\n',
      err: 'Stage dev: ExpiredTokenException: Expired. In standard output is only a part of the plants (2), up to a whole line.\n',
    });
  });

  test.each<[string, (child: ChildProcess) => void, string]>([
    ['SIGINT', (child) => child.kill('SIGINT'), 'The export was interrupted.'],
    ['SIGTERM', (child) => child.kill('SIGTERM'), 'The export was interrupted.'],
    ['SIGHUP', (child) => child.kill('SIGHUP'), 'The export was interrupted.'],
    ['a reader that goes away', ({ stdout }) => stdout?.destroy(), 'write EPIPE.'],
  ])('%s ends an export that would never end, with exit code 1', async (_, act, reason) => {
    const aws = await startAws({ ...deployed, Scan: first });
    const tool = startTool('plants', ['export', '--stage', 'dev', '--rate', '100000'], { env: aws.env });
    await new Promise((resolve) => tool.child.stdout.once('data', resolve));
    act(tool.child);
    const { code, out, err } = await tool.ended;
    aws.close();
    expect([code, err]).toEqual([1, expect.stringContaining(`${reason} In standard output is only `)]);
    expect(out).toMatch(/"Fern"}\n$/);
  });

  test.each<[string, Answers, string]>([
    ['of no plant', { GetItem: is({}) }, 'Stage dev has no plant 1.'],
    [
      'that is denied',
      { DeleteItem: error('AccessDeniedException', 'User: ann') },
      'Stage dev: the plant 1 may still be there: AccessDeniedException: User: ann',
    ],
    [
      'whose first answer was lost',
      { DeleteItem: is({}) },
      'Stage dev: the plant 1 is gone, but not by this attempt. An earlier attempt whose answer was lost, or another command, has removed it. Before, it was: {"id":1,"name":"Fern"}',
    ],
  ])('a delete %s is no success', (_, answers, message) =>
    withAws({ ...deployed, GetItem: is({ Item: item(1) }), ...answers }, async () => {
      const deletion = withPlants({ stage: 'dev' }, (plants) => deleteCommand(plants, '1', true));
      await expect(deletion).rejects.toThrow(new PlainError(message));
    }),
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
