import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { Level } from 'level';
import { beforeAll, describe, expect, test } from 'vitest';
import { PlainError } from '../../terminal/plain-error.ts';
import { startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { storedItems } from '../support/stored-item.ts';
import { expectRefusal } from '../tools/run-tool.ts';
import { withStore } from './with-store.ts';

const put = (client: DynamoDBClient, id: number) => {
  const Item = { id: { N: String(id) }, name: { S: `Fern ${'x'.repeat(500)}` } };
  return client.send(new PutItemCommand({ TableName: 'Plants', Item }));
};

/** A data folder with 100 plants in its log, as after a kill: it is copied while the store is open. */
const original = temporaryFolder();
beforeAll(async () => {
  const data = temporaryFolder();
  await withStore(data, async (client) => {
    for (let id = 1; id <= 100; id += 1) await put(client, id);
    cpSync(data, original, { recursive: true });
  });
  // The service writes it after the tables.
  writeFileSync(path.join(original, 'token'), 'plants_0');
});

/** A copy of that folder, and its log. */
function copied(): { data: string; store: string; log: string } {
  const data = temporaryFolder();
  cpSync(original, data, { recursive: true });
  const store = path.join(data, 'store');
  return {
    data,
    store,
    log: path.join(store, readdirSync(store).find((name) => name.endsWith('.log')) ?? ''),
  };
}

function flipByte(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(file, bytes);
}

/** What is in the files of a store. LevelDB keeps its own log of what it does. */
const contentOf = (store: string) =>
  readdirSync(store)
    .filter((name) => !/^LOG/.test(name))
    .map((name) => [name, readFileSync(path.join(store, name), 'latin1')]);

describe('a damaged store', () => {
  /** What is said of it. The log's blocks have 32,768 bytes, and LevelDB drops the rest of the one with the error. */
  const damaged = (reason: string, readable: string) =>
    new RegExp(
      `^The store in \\S+ is damaged \\(${reason}\\); plants in it that can be read: (${readable})\\. Restore a copy of the ` +
        'folder, or go on with these plants: npm start -- --data (\\S+) --repair$',
    );
  const LOG = '\\d+\\.log is not as it was written';

  test.each<[what: string, damage: (place: ReturnType<typeof copied>) => void, message: RegExp]>([
    ['a changed byte in the log', ({ log }) => flipByte(log, 40_000), damaged(LOG, '[4-6]\\d')],
    [
      'no CURRENT',
      ({ store }) => rmSync(path.join(store, 'CURRENT')),
      damaged('the file CURRENT is missing', '100'),
    ],
    ['garbage in the manifest', ({ store }) => spoilManifest(store), damaged('Corruption: .+', '100')],
    [
      'a changed byte in the log, and no CURRENT',
      ({ log, store }) => {
        flipByte(log, 40_000);
        rmSync(path.join(store, 'CURRENT'));
      },
      damaged(LOG, '0'),
    ],
  ])(
    '%s: it is refused and not changed, and --repair goes on with what can be read',
    async (_, damage, message) => {
      const { data, store, ...place } = copied();
      damage({ data, store, ...place });
      const before = contentOf(store);
      const refused = await withStore(data, async () => undefined).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(PlainError);
      const [, readable] = message.exec((refused as Error).message) ?? expect.fail(String(refused));
      expect(contentOf(store)).toEqual(before);

      const goOn = async (client: DynamoDBClient) => {
        expect((await storedItems(client)).size).toBe(Number(readable));
        await put(client, 1000);
      };
      const [, copy = ''] =
        /As it was, it is in (\S+)\.$/m.exec(await withStore(data, goOn, { repair: true })) ?? [];
      expect(contentOf(copy)).toEqual(before);
    },
  );

  function spoilManifest(store: string): void {
    const manifest = readdirSync(store).find((name) => name.startsWith('MANIFEST')) ?? '';
    writeFileSync(path.join(store, manifest), 'garbage');
  }

  test('npm start prints one line and ends; with --repair, it prints another and starts', async () => {
    const { data, store } = copied();
    rmSync(path.join(store, 'CURRENT'));
    const message = /^The store in \S+ is damaged /;
    await expectRefusal('start', ['--port', '0', '--data', data], { code: 1, message });
    const server = await startLocalProcess(data, { args: ['--repair'] });
    expect(server.output()).toMatch(/^The store in \S+ was damaged .+\.\n/);
    expect(await server.item('100')).toBeDefined();
    expect(await server.end()).toBe(0);
  });
});

describe('a log that was cut', () => {
  test.each<[what: string, bytes: (log: string) => number, plants: string]>([
    ['within an entry', () => 30_000, '[4-6]\\d'],
    ['within its last entry, as by a kill', (log) => readFileSync(log).length - 1, '99'],
    ['before its first entry', () => 0, '0'],
  ])('%s: it is used, and how many plants are there is said once', async (_, bytes, plants) => {
    const { data, log } = copied();
    truncateSync(log, bytes(log));
    const message = new RegExp(`plants that are there: ${plants}\\. If that is too few, stop`);
    expect(await withStore(data, (client) => put(client, 1000))).toMatch(message);
    expect(await withStore(data, (client) => put(client, 1001))).toBe('');
  });
});

test('a table that a kill left in CREATING is made again', async () => {
  const data = temporaryFolder();
  await withStore(data, async () => undefined);
  const store = new Level<string, object>(path.join(data, 'store'), { valueEncoding: 'json' });
  for (const name of ['Plants', 'AccessTokens']) {
    const table = await store.get(`table~${name}`);
    expect(table).toMatchObject({ TableStatus: 'ACTIVE' });
    await store.put(`table~${name}`, { ...table, TableStatus: 'CREATING' });
  }
  await store.close();
  expect(await withStore(data, (client) => put(client, 1))).toBe('');
});
