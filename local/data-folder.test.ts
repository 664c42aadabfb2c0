import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test/support/temporary-root.ts';
import { withStore } from '../test/support/with-store.ts';
import { DataFolder, folderProblem } from './data-folder.ts';
import { startEmbeddedStore } from './embedded-store.ts';

/** The modes of a folder and of everything in it, by path. */
function modesIn(folder: string): [string, string][] {
  const names = readdirSync(folder, { recursive: true }) as string[];
  return ['', ...names].map((name) => [name, (statSync(path.join(folder, name)).mode & 0o777).toString(8)]);
}

test('only the owner can read the data folder, even one that was opened to others', async () => {
  const data = path.join(temporaryFolder(), 'data');
  for (const mode of [0o755, 0o777]) {
    await withStore(data, async () => {
      const modes = modesIn(data);
      expect(modes.length).toBeGreaterThan(6);
      for (const [name, mode] of modes)
        expect([name, mode]).toEqual([name, /^(store)?$/.test(name) ? '700' : '600']);
    });
    chmodSync(data, mode);
  }
});

// LevelDB would delete the last one.
const OTHERS = ['letter.txt', 'url', 'store/index.ts', 'store/000001.log'];
test.each(OTHERS)('a folder with other files, such as %s, is refused and not changed', (name) => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'dear', { mode: 0o644 });
  const before = modesIn(folder);
  const message = `The folder ${folder} holds other files; choose a new or empty one with --data.`;
  expect(() => new DataFolder(folder)).toThrow(message);
  expect(modesIn(folder)).toEqual(before);
});

test('when the data folder is deleted and made again, the store accepts nothing and says so', async () => {
  const data = temporaryFolder();
  const store = path.join(data, 'store');
  const { endpoint, accessKeyId = '', lost } = await startEmbeddedStore(store);
  const credentials = { accessKeyId, secretAccessKey: 'any' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials, maxAttempts: 1 });
  await client.send(new ListTablesCommand());
  // LevelDB may add a file during the removal.
  rmSync(data, { recursive: true, maxRetries: 9 });
  mkdirSync(store, { recursive: true });
  writeFileSync(path.join(store, 'LOCK'), '');
  await expect(client.send(new ListTablesCommand())).rejects.toThrow();
  client.destroy();
  expect(folderProblem(data, await lost)).toBe(
    `The data folder ${data} cannot be used (it was deleted or moved).`,
  );
});

test('a file is no data folder', async () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const opened = withStore(file, async () => undefined);
  await expect(opened).rejects.toThrow(`The data folder ${file} cannot be written to (ENOTDIR).`);
});
