import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../contract/examples.ts';
import { startLocalProcess, temporaryFolder } from '../test/support/local-process.ts';
import { withStore } from '../test/support/with-store.ts';
import { DataFolder } from './data-folder.ts';

/** The modes of a folder and of everything in it, by path. */
function modesIn(folder: string): [string, string][] {
  const names = readdirSync(folder, { recursive: true }) as string[];
  return ['', ...names].map((name) => [name, (statSync(path.join(folder, name)).mode & 0o777).toString(8)]);
}

function expectPrivate(folder: string): void {
  const modes = modesIn(folder);
  expect(modes.length).toBeGreaterThan(6);
  for (const [name, mode] of modes)
    expect([name, mode]).toEqual([name, /^(store)?$/.test(name) ? '700' : '600']);
}

describe('only the owner can read the data folder', () => {
  test('a new one in a folder that anyone can read, and one that was opened to others', async () => {
    const parent = temporaryFolder();
    chmodSync(parent, 0o755);
    const data = path.join(parent, 'data');
    await withStore(data, async () => expectPrivate(data));
    chmodSync(data, 0o755);
    await withStore(data, async () => expectPrivate(data));
  });

  const OTHERS = ['letter.txt', 'store/index.ts'];
  test.each(OTHERS)('a folder with other files, such as %s, is refused and not changed', async (name) => {
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
});

test('when the data folder is deleted and made again, no plant is acknowledged, and the service prints one line and exits', async () => {
  const data = temporaryFolder();
  const server = await startLocalProcess(data);
  expect(await server.post(bodyOf(1))).toMatchObject({ status: 200 });
  // LevelDB may add a file during the removal.
  rmSync(data, { recursive: true, maxRetries: 9 });
  mkdirSync(path.join(data, 'store'), { recursive: true });
  writeFileSync(path.join(data, 'store', 'LOCK'), '');
  // The token is cached, so only the put accesses the store.
  const response = await server.post(bodyOf(2)).catch(() => undefined);
  expect(response?.status).not.toBe(200);
  expect(await server.exit).toBe(1);
  expect(server.output()).toMatch(
    /The data folder .+ cannot be used \(it was deleted or moved\)\. The service stops\.$/m,
  );
});

test('a file is no data folder', async () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const opened = withStore(file, async () => undefined);
  await expect(opened).rejects.toThrow(`The data folder ${file} cannot be written to (ENOTDIR).`);
});
