import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Level } from 'level';
import { beforeAll, describe, expect, test } from 'vitest';
import { startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { runTool } from '../tools/run-tool.ts';

/** A data folder with 100 plants in its log, after a kill. */
const original = temporaryFolder();
beforeAll(async () => {
  const server = await startLocalProcess(original);
  for (let id = 1; id <= 100; id += 1)
    expect(await server.post(`{"id":${id},"name":"Fern ${'x'.repeat(500)}"}`)).toMatchObject({ status: 200 });
  await server.end('SIGKILL');
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

const contentOf = (folder: string) =>
  readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'latin1')]);

describe.concurrent('a damaged store', () => {
  // The log's blocks have 32,768 bytes, and LevelDB drops the rest of the one with the error: 40 to 60 plants stay.
  const some = '([4-6]\\d)';
  test.each<
    [what: string, damage: (place: ReturnType<typeof copied>) => void, reason: string, readable: string]
  >([
    [
      'a changed byte in the log',
      ({ log }) => flipByte(log, 40_000),
      '\\d+\\.log is not as it was written',
      some,
    ],
    [
      'no CURRENT',
      ({ store }) => rmSync(path.join(store, 'CURRENT')),
      'the file CURRENT is missing',
      '(100)',
    ],
    ['garbage in the manifest', ({ store }) => spoilManifest(store), 'Corruption: .+', '(100)'],
    [
      'a changed byte in the log, and no CURRENT',
      ({ log, store }) => {
        flipByte(log, 40_000);
        rmSync(path.join(store, 'CURRENT'));
      },
      '\\d+\\.log is not as it was written',
      '(0)',
    ],
  ])(
    '%s: it is refused and not changed, and --repair goes on with what can be read',
    async (_, damage, reason, count) => {
      const place = copied();
      damage(place);
      const before = contentOf(place.store);
      const message = new RegExp(
        `^The store in \\S+ is damaged \\(${reason}\\); plants in it that can be read: ${count}\\. Restore a copy of the ` +
          'folder, or go on with these plants: npm start -- --data (\\S+) --repair\\n$',
      );
      const args = ['--port', '0', '--data', place.data];
      const refused = await runTool('start', args);
      expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(message) });
      const readable = Number(message.exec(refused.err)?.[1]);
      // LevelDB keeps its own log of what it does.
      const withoutLog = (files: string[][]) => files.filter(([name]) => !/^LOG/.test(name ?? ''));
      expect(withoutLog(contentOf(place.store))).toEqual(withoutLog(before));

      const server = await startLocalProcess(place.data, { args: ['--repair'] });
      const ids = Array.from({ length: 100 }, (_, index) => String(index + 1));
      const items = await Promise.all(ids.map((id) => server.item(id)));
      expect(items.filter(Boolean).length).toBe(readable);
      expect(await server.post('{"id":1000,"name":"Fern"}')).toMatchObject({ status: 200 });
      const [, copy = ''] = /As it was, it is in (\S+)\.\n/.exec(server.output()) ?? [];
      expect(withoutLog(contentOf(copy))).toEqual(withoutLog(before));
      expect(await server.end()).toBe(0);
    },
  );

  function spoilManifest(store: string): void {
    const manifest = readdirSync(store).find((name) => name.startsWith('MANIFEST')) ?? '';
    writeFileSync(path.join(store, manifest), 'garbage');
  }

  test.each<[what: string, bytes: number, plants: RegExp]>([
    ['within an entry', 30_000, /plants that are there: ([4-6]\d)\. If that is too few, stop/],
    ['before its first entry', 0, /plants that are there: 0\. If that is too few, stop/],
  ])('a log that was cut %s: it starts, and says how many plants are there', async (_, bytes, plants) => {
    const { data, log } = copied();
    truncateSync(log, bytes);
    const server = await startLocalProcess(data);
    expect(server.output()).toMatch(plants);
    expect(await server.post('{"id":1000,"name":"Fern"}')).toMatchObject({ status: 200 });
    await server.end();
    // It is said once.
    const again = await startLocalProcess(data);
    expect(again.output()).toMatch(/^Plant Store is ready/);
    await again.end();
  });

  test('after a kill within an entry, all plants before it are there', async () => {
    const { data, log } = copied();
    truncateSync(log, readFileSync(log).length - 1);
    const server = await startLocalProcess(data);
    expect(server.output()).toContain('plants that are there: 99. ');
    await server.end();
  });
});

test('a table that a kill left in CREATING is made again', async () => {
  const data = temporaryFolder();
  const first = await startLocalProcess(data);
  await first.end('SIGKILL');
  const store = new Level<string, object>(path.join(data, 'store'), { valueEncoding: 'json' });
  for (const name of ['Plants', 'AccessTokens']) {
    const table = await store.get(`table~${name}`);
    expect(table).toMatchObject({ TableStatus: 'ACTIVE' });
    await store.put(`table~${name}`, { ...table, TableStatus: 'CREATING' });
  }
  await store.close();
  rmSync(path.join(data, 'token'));
  const second = await startLocalProcess(data);
  expect(second.output()).toMatch(/^Plant Store is ready/);
  expect(await second.post('{"id":1,"name":"Fern"}')).toMatchObject({ status: 200 });
  await second.end();
});
