import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type AttributeValue, DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { bodyOf, LEAST, WHOLE } from '../../contract/examples.ts';
import { IS_NUMBER, idJson, idOf, NO_ID } from '../../contract/key.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { error, ok, type Reply, type Responses, stack, withAws } from '../../test/support/aws-stand-in.ts';
import { startLocalProcess } from '../../test/support/local-process.ts';
import { csvHeader, withText } from '../../test/support/properties.ts';
import { hasTerminal, npmRun, runHere, runInTerminal, runWithAws } from '../../test/support/run-command.ts';
import { itemOf, putItem } from '../../test/support/stored-item.ts';
import { temporaryFile, temporaryFolder } from '../../test/support/temporary-root.ts';
import { idIn, keyOf } from '../shared/plant-key.ts';
import { onlyIf } from './only-if.ts';

/** The lines of an export, in a fixed order. */
const sorted = (text: string) => text.split('\n').filter(Boolean).sort();

describe('npm run plants', async () => {
  const data = temporaryFolder();
  const server = await startLocalProcess(data);
  afterAll(() => server.end());
  const IVY_PLANT = withText('');
  const IVY = bodyOf(7, IVY_PLANT);
  const ALL = [bodyOf(-5), IVY, bodyOf(2n ** 63n - 1n, withText('Fern\u0000\u009b', WHOLE))].sort();
  /** At the address of the store: to find that it is open in another process takes a tenth of a second. */
  const plants = async (...args: string[]) => {
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', server.endpoint);
    vi.stubEnv('AWS_ACCESS_KEY_ID', server.credentials.accessKeyId);
    return runHere('plants', args).finally(() => vi.unstubAllEnvs());
  };
  for (const body of ALL) expect((await server.post(body)).status).toBe(200);

  test('exports the plants of a running service, and says that it is no snapshot', async () => {
    const ended = await npmRun('plants', ['export', '--data', data]);
    const err =
      'Plants in standard output: 3. Those stored or deleted during the export may or may not be included.\n';
    expect(ended).toMatchObject({ code: 0, err });
    expect(sorted(ended.out)).toEqual(ALL);
    expect((await plants('export', '--id', idOf(-5))).out).toBe(`${bodyOf(-5)}\n`);
  });

  test('plants that are exported, deleted and imported are the same, digit for digit', async () => {
    const negative = fc.bigInt({ min: -(2n ** 63n), max: -10n });
    const numbers = [2n ** 63n - 2n, 2n ** 53n + 1n, 10n ** 18n, 0n, ...fc.sample(negative, 20)];
    const ids = [...new Set(numbers.map(idOf))];
    const codePoints = fc.array(fc.nat({ max: 0x10_ff_ff }), { maxLength: 40 });
    const text = codePoints.map((each) => String.fromCodePoint(...each).toWellFormed());
    const texts = fc.sample(text, ids.length);
    const lines = ids.map((id, n) => bodyOf(id, withText(texts[n] ?? '', n % 2 ? LEAST : WHOLE))).sort();
    const listed = temporaryFile('ids', `\ufeff${ids.join('\r\n')}\n${ids[0]}\n${idOf(99)}\n\r\n`);
    const file = temporaryFile('plants.ndjson', lines.join('\n'));
    const stored = await runHere('import', [file, '--data', data]);
    expect(stored).toMatchObject({ code: 0, out: expect.stringMatching(RegExp(`stored +${ids.length}\n`)) });
    expect(sorted((await plants('export')).out)).toEqual([...ALL, ...lines].sort());

    const table = path.join(temporaryFolder(), 'plants.csv');
    const csv = await plants('export', table, '--ids', listed);
    expect(csv.code).toBe(0);

    const exported = await plants('export', '--ids', listed);
    expect([sorted(exported.out), exported.code]).toEqual([lines, 0]);
    expect(exported.err).toMatch(/^Not there: 1\.$/m);
    const deleted = await plants('delete', '--ids', listed, '--yes');
    expect([sorted(deleted.out), deleted.code]).toEqual([lines, 0]);
    const counts = `Deleted from Plants: ${ids.length}. Not there: 1.`;
    expect(deleted.err).toBe(`${counts} A client that retries creates it again.\n`);
    expect((await plants('export', '--ids', listed)).err).toContain(
      `there is none of the ${ids.length + 1} plants.`,
    );
    expect(sorted((await plants('export')).out)).toEqual(ALL);

    const again = await runHere('import', [table, '--data', data]);
    expect(again).toMatchObject({ code: 0, out: expect.stringMatching(RegExp(`stored +${ids.length}\n`)) });
    expect(sorted((await plants('export', '--ids', listed)).out)).toEqual(lines);
    expect((await plants('delete', '--ids', temporaryFile('lines', exported.out), '--yes')).code).toBe(0);
    expect(sorted((await plants('export')).out)).toEqual(ALL);
  });

  test('CSV has quotes around texts only, and nothing for what is absent', async () => {
    const { out, code } = await plants('export', '--format', 'csv', '--id', idOf(7));
    const fields = (plant: object) =>
      Object.keys(WHOLE).map((name) => {
        const value = new Map(Object.entries(plant)).get(name);
        if (value === undefined) return '';
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        return typeof value === 'number' || typeof value === 'boolean'
          ? text
          : `"${text.replaceAll('"', '""')}"`;
      });
    const header = csvHeader(['id', ...Object.keys(WHOLE)]);
    expect([code, out]).toEqual([0, `${header}\n${idJson(7)},${fields(IVY_PLANT)}\n`]);
    const whole = await plants('export', '--format', 'csv', '--id', idOf(2n ** 63n - 1n));
    expect(whole.out).toBe(
      `${header}\n${idJson(2n ** 63n - 1n)},${fields(withText('Fern\u0000\u009b', WHOLE))}\n`,
    );
  });

  test.skipIf(!hasTerminal).each([
    [idOf(7), 0, undefined, IVY],
    ['y', 1, { id: '7', ...IVY_PLANT }, 'Nothing was deleted.'],
  ])('asks for the id in a terminal; the response is %s', async (type, code, left, shown) => {
    const stop = { stopAt: 'Type its id: ', type: `${type}\r` };
    const ended = await runInTerminal('plants', ['delete', idOf(7), '--data', data], stop);
    expect(ended.output).toContain(`The local store, table Plants:\r\n${IVY}\r\n`);
    expect(ended.output).toContain(shown);
    expect([ended.code, await server.item('7')]).toEqual([code, left]);
    await server.post(IVY);
  });

  test('writes items that are not plants of this version as they are, and says that an import refuses them', async () => {
    const items: [item: Record<string, AttributeValue>, line: string][] = [
      [
        { ...itemOf('2'), quux: { N: '12345678901234567890.5' }, corge: { BOOL: false }, plugh: { S: '"' } },
        `${bodyOf(2).slice(0, -1)},"quux":12345678901234567890.5,"corge":false,"plugh":"\\""}`,
      ],
      [
        {
          ...(IS_NUMBER ? { id: { N: '4.5' } } : { id: { S: NO_ID } }),
          raw: { B: new Uint8Array([1, 2, 255]) },
        },
        `{"id":${IS_NUMBER ? '4.5' : JSON.stringify(NO_ID)},"raw":{"B":"AQL/"}}`,
      ],
      [
        {
          ...keyOf(idOf(8)),
          list: { L: [{ M: { a: { N: '9007199254740993' }, b: { BOOL: true } } }] },
          map: { M: {} },
          typed: { L: [{ NULL: true }] },
        },
        `{"id":${idJson(8)},"list":[{"a":9007199254740993,"b":true}],"map":{},"typed":{"L":[{"NULL":true}]}}`,
      ],
    ];
    for (const [item] of items) await putItem(server.client, item);
    const { code, out, err } = await plants('export');
    expect([code, sorted(out)]).toEqual([0, [...ALL, ...items.map(([, line]) => line)].sort()]);
    const csv = await plants('export', '--format', 'csv', '--id', idOf(8));
    expect([csv.code, csv.err]).toEqual([
      1,
      expect.stringContaining(
        `The item ${idJson(8)} is no plant of this version, so CSV has no column for a part of it.`,
      ),
    ]);
    expect(err).toMatch(
      /\nAn import would refuse 3, which are no plants of this version: the first is \S+\.\n$/,
    );
  });

  test('of the lines of an export, only the plants that are still the same are deleted', async () => {
    for (const id of [20, -21, 24])
      await putItem(server.client, {
        ...keyOf(idOf(id)),
        later: { L: [{ M: { b: { S: 'x' }, a: { N: '1' } } }] },
      });
    const later = '"later":[{"b":"x","a":1}]';
    const file = temporaryFile(
      'wrong.ndjson',
      [
        `{"none":null,"later":[{"a":1,"b":"x"}],"id":${idJson(20)}}`,
        `{"id":${idJson(-21)},"later":[{"b":"x","a":2}]}`,
        ...[idOf(22), `{"id":${idJson(23)}}`, `{"id":${idJson(24)}}`],
      ].join('\n'),
    );
    const ended = await plants('delete', '--ids', file, '--yes');
    expect([ended.code, ended.out]).toEqual([1, `{"id":${idJson(20)},${later}}\n`]);
    expect(ended.err).toBe(
      `The plant ${idOf(-21)} is not that of its line, and was left.\nThe plant ${idOf(24)} is not that of its line, and was left.\nDeleted from Plants: 1. Not there: 2. Different, and left: 2. A client that retries creates it again.\n`,
    );
    const readEarlier = { ...keyOf(idOf(24)), later: { L: [] } };
    const removal = { TableName: LOCAL_TABLES.plants, Key: keyOf(idOf(24)), ...onlyIf(readEarlier) };
    const refused = await server.client.send(new DeleteItemCommand(removal)).catch(({ name }) => name);
    expect(refused).toBe('ConditionalCheckFailedException');
    const others = temporaryFile('ids', `${idOf(24)}\n{"id":${idJson(-21)},${later}}`);
    const rest = await plants('delete', '--ids', others, '--yes');
    const lines = [24, -21].map((id) => `{"id":${idJson(id)},${later}}\n`);
    expect([rest.code, rest.out]).toEqual([0, lines.join('')]);
  });

  const idsFile = (text: string) => ['export', '--ids', temporaryFile('ids', text)];
  test.each<[string[], 1 | 2, string]>([
    [idsFile('\ufeff\n'), 2, ' is empty: it names no plant.'],
    [idsFile(`{"id":${idJson(7)},"a":1}\n{"id":true}`), 2, ', line 2, must be an id, '],
    [idsFile('{"a":1,"ID":7}'), 2, ', or a plant, as an export to .ndjson writes it.'],
    [
      idsFile(`${idOf(7)}\n{"id":${idJson(7)}}`),
      2,
      ', line 2, has the id of an earlier line, which differs.',
    ],
    [['export', 'a.parquet'], 2, 'An export is ndjson, jsonl, csv; end FILE in one of these.'],
    [
      ['export', 'a.csv', '--format', 'ndjson'],
      2,
      '--format must be one of ndjson, jsonl, csv, and FILE must',
    ],
    [['export', '--format', 'tsv'], 2, '--format must be one of ndjson, jsonl, csv, and FILE must'],
    [['export', '--table', 'AccessTokens'], 1, 'AccessTokens is not a table of plants; its key is not the'],
    [['export', '--table', 'None'], 1, 'The local store: ResourceNotFoundException'],
    [['export', '.'], 1, '. is not a file.'],
    [['export', 'none/a'], 1, 'none/a.part cannot be written to (ENOENT).'],
    [['export', '--id', idOf(7), '--ids', 'a'], 2, '--id and --ids cannot be used together.'],
    [['delete', idOf(7), '--ids', 'a', '--yes'], 2, 'Give either an ID or --ids IDSFILE.'],
    [['delete', '--ids', 'none', '--yes'], 1, 'none cannot be read (ENOENT).'],
    [
      ['delete', '--ids', temporaryFile('ids', `${idOf(7)}\n${NO_ID}\n`), '--yes'],
      2,
      ', line 2, must be an id, ',
    ],
  ])('%j is refused in one line', async (args, code, message) => {
    const ended = await plants(...args);
    expect(ended).toEqual({ code, out: '', err: expect.stringMatching(/^[^\n]+\n$/) });
    expect(ended.err).toContain(message);
  });
});

describe('npm run plants -- --stage', () => {
  const deployed = stack('CREATE_COMPLETE', { PlantsTable: 'PlantStore-dev-Plants' });
  const WORDS = ['export', '--stage', 'dev'];
  const item = (id: number | string) => itemOf(`${id}`);
  /** A page of a Scan: plants with these ids, and whether more follow. */
  const page = (ids: (number | string)[], isLast = true) =>
    ok({
      Items: ids.map(item),
      Count: ids.length,
      LastEvaluatedKey: isLast ? undefined : keyOf(idOf(ids.at(-1) ?? '')),
    });
  const folderOf = (file: string) => readdirSync(path.dirname(file));
  /** A first page, and then this response; or something else happens, and more pages come. */
  const firstThen = (act: () => Reply | boolean): Responses => ({
    ...deployed,
    Scan: ({ ExclusiveStartKey }) => {
      const reply = ExclusiveStartKey ? act() : page([1, 2], false);
      return reply instanceof Object ? reply : page([3], false);
    },
  });
  test.each<[string, () => Reply | boolean, string]>([
    ['an error of AWS', () => error('Expired', 'Later'), 'Stage dev: Expired: Later.'],
    // As its last page would.
    ['a damaged page', () => ok({ Items: [item(3)], Count: 2 }), ' to Scan that is not a page of items.'],
    ['a signal', () => process.emit('SIGHUP', 'SIGHUP'), 'The export was interrupted.'],
  ])('after %s, an export ends with a whole line, or leaves its file', async (_, last, why) => {
    const { code, out, err } = await runWithAws('plants', WORDS, firstThen(last));
    expect([code, out]).toEqual([1, `${bodyOf(1)}\n${bodyOf(2)}\n`]);
    expect(err).toContain(
      `${why} Of the plants, 2 were written to standard output; the last line may be cut.\n`,
    );
    const file = temporaryFile('a.ndjson', 'earlier');
    const left = `${file} is as it was before; the 2 plants that were read are discarded.`;
    const toFile = await runWithAws('plants', [...WORDS, file], firstThen(last));
    expect(toFile).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`${why} ${left}\n`) });
    expect([readFileSync(file, 'utf8'), folderOf(file)]).toEqual(['earlier', ['a.ndjson']]);
  });

  test('a file is replaced by the plants of all pages, whose ids are plain digits, and only its owner can read it', async () => {
    const file = temporaryFile('a.ndjson', 'earlier');
    chmodSync(file, 0o644);
    // As other stores than DynamoDB may write them.
    const responses = firstThen(() =>
      page(IS_NUMBER ? ['3.0', '9.007199254740993E+15'] : [3, '9007199254740993']),
    );
    const { out, err, inputs } = await runWithAws('plants', [...WORDS, file], responses);
    const common = { TableName: 'PlantStore-dev-Plants', ConsistentRead: true, Limit: 2_000 };
    expect(inputs('Scan')).toMatchObject([common, { ...common, ExclusiveStartKey: keyOf(idOf(2)) }]);
    const lines = [1, 2, 3, '9007199254740993'].map((id) => bodyOf(id));
    expect([out, sorted(readFileSync(file, 'utf8'))]).toEqual(['', lines]);
    expect(err).toContain(`Plants in ${file}: 4. Those stored`);
    expect([statSync(file).mode & 0o777, folderOf(file)]).toEqual([0o600, ['a.ndjson']]);
  });

  test('a FILE.part of somebody else stays as it is', async () => {
    const part = temporaryFile('a.part', 'theirs');
    const words = [...WORDS, part.replace(/\.part$/, '')];
    const { code, err } = await runWithAws('plants', words, deployed);
    const why = `${part} exists: another export writes it, or`;
    expect([code, err]).toEqual([1, expect.stringContaining(why)]);
    expect([readFileSync(part, 'utf8'), folderOf(part)]).toEqual(['theirs', ['a.part']]);
  });

  const got = (Key: unknown) => item(String(idIn(Object(Key))));
  const GetItem: Responses['GetItem'] = ({ Key }) => ok({ Item: got(Key) });
  const DELETE = ['delete', '--yes', '--stage', 'dev'];
  /** Deletes plants, and does something else at the third. */
  const atThird = (act: () => Reply | boolean): Responses => ({
    DeleteItem: ({ Key }) => {
      const reply = idIn(Object(Key)) === idOf(3) && act();
      return reply instanceof Object ? reply : ok({ Attributes: got(Key) });
    },
  });
  const DAMAGED = { DeleteItem: { status: 200, raw: '' } };
  const FIVE = ['--ids', temporaryFile('ids', [1, 2, 3, 4, 5].map(idOf).join('\n'))];
  const COUNT = 'Deleted from PlantStore-dev-Plants:';
  test.each<[string, string[], Responses, string, number]>([
    ['of no plant', [idOf(1)], { GetItem: ok({}) }, `there is no plant ${idOf(1)}.`, 0],
    [
      'without a response',
      [idOf(1)],
      DAMAGED,
      `the plant ${idOf(1)} may still be there: The store gave a damaged`,
      1,
    ],
    [
      'of what stays',
      [idOf(1)],
      { DeleteItem: ok({}) },
      `The plant ${idOf(1)} is still there, or there again.`,
      1,
    ],
    [
      'that is refused halfway',
      FIVE,
      atThird(() => error('AccessDeniedException', 'User: ann')),
      `the plant ${idOf(3)} may still be there: AccessDeniedException: User: ann. ${COUNT} 2. Not there: 0. May still be there: 3.\n`,
      3,
    ],
    // Begins no other.
    [
      'that is interrupted halfway',
      FIVE,
      atThird(() => process.emit('SIGTERM', 'SIGTERM')),
      `Interrupted. ${COUNT} 3. Not there: 0. May still be there: 2.\n`,
      4,
    ],
  ])('a deletion %s is no success', async (_, words, responses, message, printed) => {
    const ended = await runWithAws('plants', [...DELETE, ...words], { ...deployed, GetItem, ...responses });
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining(`Stage dev: ${message}`) });
    expect(sorted(ended.out).length).toBe(printed);
  });

  test('a plant that changes after it was printed is left', async () => {
    let reads = 0;
    const changed = { ...item(1), later: { S: '' } };
    const responses: Responses = {
      ...deployed,
      GetItem: () => ok({ Item: ++reads === 1 ? item(1) : changed }),
      DeleteItem: error('ConditionalCheckFailedException', 'The conditional request failed'),
    };
    const { code, out, err, inputs } = await runWithAws('plants', [...DELETE, idOf(1)], responses);
    expect(inputs('DeleteItem')).toMatchObject([onlyIf(item(1))]);
    expect([code, out]).toEqual([1, `${bodyOf(1)}\n`]);
    expect(err).toContain(`The plant ${idOf(1)} has changed meanwhile, and was left.\n`);
    expect(err).toContain(`${COUNT} 0. Not there: 0. Different, and left: 1.\n`);
  });

  test('a read that fails five times is tried a sixth time', async () => {
    // The SDK pauses for a random part of a growing time.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    let scans = 0;
    const Scan = () => (++scans <= 5 ? error('InternalServerError', 'Again', 500) : page([1]));
    const env = { AWS_MAX_ATTEMPTS: undefined };
    const { code } = await withAws({ ...deployed, Scan }, () => runHere('plants', WORDS), env);
    expect([code, scans]).toEqual([0, 6]);
  });

  test('before a full disk, nothing is deleted', () => {
    const long = ok({ Item: { ...itemOf('1'), later: { S: 'F'.repeat(30_000) } } });
    return withAws({ ...deployed, GetItem: long }, async () => {
      const into = path.join(temporaryFolder(), 'out');
      // Blocks of 512 bytes.
      const ended = await npmRun('plants', [...DELETE, idOf(1)], { limit: '-f 40', into });
      const reason = 'standard output cannot be written to (EFBIG)';
      const err = `Stage dev: ${reason}. Deleted from PlantStore-dev-Plants: 0.`;
      expect(ended).toMatchObject({ code: 1, err: expect.stringContaining(err) });
    });
  });
});
