import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DataFolder } from '../../local/data-folder.ts';
import { startThreadedStore } from '../../local/threaded-store.ts';
import { startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { expectRefusal } from '../tools/run-tool.ts';

/** LevelDB may add a file during the removal. */
const REMOVAL = { recursive: true, maxRetries: 9 } as const;

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

describe.concurrent('only the owner can read the data folder', () => {
  test('a new data folder is private in a folder that anyone can read', async () => {
    const parent = temporaryFolder();
    chmodSync(parent, 0o755);
    const data = path.join(parent, 'data');
    const server = await startLocalProcess(data);
    expectPrivate(data);
    await server.end();
  });

  test('a data folder that was opened to others becomes private again', async () => {
    const data = temporaryFolder();
    const first = await startLocalProcess(data);
    await first.end();
    chmodSync(data, 0o755);
    const second = await startLocalProcess(data);
    expect(second.token).toBe(first.token);
    expectPrivate(data);
    await second.end();
  });

  test.each(['letter.txt', 'store/index.ts'])(
    'a folder with other files, such as %s, is refused and not changed',
    async (name) => {
      const folder = temporaryFolder();
      chmodSync(folder, 0o755);
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, 'dear');
      chmodSync(file, 0o755);
      const before = modesIn(folder);
      const message = /^The folder .+ holds other files; choose a new or empty one with --data\.\n$/;
      await expectRefusal('start', ['--port', '0', '--data', folder], { code: 1, message });
      expect(modesIn(folder)).toEqual(before);
    },
  );
});

describe('the embedded store stops answering when its data folder disappears', () => {
  test.each([
    ['deleted', (data: string) => rmSync(data, REMOVAL)],
    ['emptied', (data: string) => rmSync(path.join(data, 'store'), REMOVAL)],
    ['moved', (data: string) => renameSync(data, `${data}-elsewhere`)],
    ['deleted and created again', replace],
  ])('%s', async (_, remove) => {
    const before = process.umask();
    const folder = new DataFolder(temporaryFolder());
    process.umask(before);
    const store = await startThreadedStore(folder.storePath);
    expect((await fetch(store.endpoint)).status).toBe(400);
    remove(folder.path);
    await expect(fetch(store.endpoint)).rejects.toThrow('fetch failed');
    await store.lost;
    await store.close();
  });

  function replace(data: string): void {
    rmSync(data, REMOVAL);
    mkdirSync(path.join(data, 'store'), { recursive: true });
    writeFileSync(path.join(data, 'store', 'LOCK'), '');
  }
});

describe.concurrent('when the data folder is deleted, the service prints one line and exits', () => {
  const line = /The data folder .+ was deleted or moved, so the service stops\. .*$/m;

  test('a plant that it can no longer store is not acknowledged', async () => {
    const data = temporaryFolder();
    const server = await startLocalProcess(data);
    expect(await server.post('{"id":1,"name":"Fern"}')).toMatchObject({ status: 200 });
    rmSync(data, REMOVAL);
    // The token is cached, so only the put accesses the store.
    const answer = await server.post('{"id":2,"name":"Fern"}').catch(() => undefined);
    expect(answer?.status).not.toBe(200);
    expect(await server.exit).toBe(1);
    expect(server.output()).toMatch(line);
  });

  test('it exits without a request too', async () => {
    const data = temporaryFolder();
    const server = await startLocalProcess(data);
    rmSync(data, REMOVAL);
    expect(await server.exit).toBe(1);
    expect(server.output()).toMatch(line);
  });
});
