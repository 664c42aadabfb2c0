import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sendHttp } from '../../tools/verify/send-http.ts';
import { runToEnd, startLocalProcess, temporaryFolder } from '../support/local-process.ts';

const PLANT = '{"id":1,"name":"Fern"}';

/** The modes of a folder and of all in it, by path. */
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

describe('the data folder is its owner’s alone', () => {
  test('a new one, below a folder that anyone can read', async () => {
    const parent = temporaryFolder();
    chmodSync(parent, 0o755);
    const data = path.join(parent, 'data');
    const server = await startLocalProcess(data);
    expectPrivate(data);
    await server.end('SIGTERM');
  });

  test('one that an earlier version has left open', async () => {
    const data = temporaryFolder();
    const first = await startLocalProcess(data);
    await first.end('SIGTERM');
    for (const [name] of modesIn(data)) {
      const file = path.join(data, name);
      chmodSync(file, statSync(file).isDirectory() ? 0o755 : 0o644);
    }
    const second = await startLocalProcess(data);
    expect(second.token).toBe(first.token);
    expectPrivate(data);
    await second.end('SIGTERM');
  });

  test('a folder with somebody’s files is left as it is', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    writeFileSync(path.join(folder, 'letter.txt'), 'dear');
    chmodSync(path.join(folder, 'letter.txt'), 0o644);
    const { code, output } = await runToEnd(['--port', '0', '--data', folder]);
    expect(output).toMatch(/^The folder .+ holds other files; choose a new or empty one with --data\.\n$/);
    expect(code).toBe(1);
    expect(modesIn(folder)).toEqual([
      ['', '755'],
      ['letter.txt', '644'],
    ]);
  });
});

describe('a data folder that goes away ends the service with one clear line', () => {
  const line = /The data folder .+ was deleted or moved, so the service stops\. .*$/m;
  test.each([
    ['deleted', (data: string) => rmSync(data, { recursive: true })],
    ['emptied', (data: string) => rmSync(path.join(data, 'store'), { recursive: true })],
    ['moved', (data: string) => renameSync(data, `${data}-elsewhere`)],
    [
      'deleted and made anew',
      (data: string) => {
        rmSync(data, { recursive: true });
        mkdirSync(path.join(data, 'store'), { recursive: true });
        writeFileSync(path.join(data, 'store', 'LOCK'), '');
      },
    ],
  ])('%s', async (_, takeAway) => {
    const data = temporaryFolder();
    const server = await startLocalProcess(data);
    const headers: [string, string][] = [['authorization', `Bearer ${server.token}`]];
    expect((await sendHttp(server.url, { headers, body: PLANT })).status).toBe(200);
    takeAway(data);
    // The token is remembered, so only the put looks at the store: it must not be acknowledged.
    const answer = await sendHttp(server.url, { headers, body: '{"id":2,"name":"Fern"}' }).catch(
      () => undefined,
    );
    expect(answer?.status).not.toBe(200);
    expect(await server.exit).toBe(1);
    expect(server.output()).toMatch(line);
  });

  test('deleted while nobody asks', async () => {
    const data = temporaryFolder();
    const server = await startLocalProcess(data);
    rmSync(data, { recursive: true });
    expect(await server.exit).toBe(1);
    expect(server.output()).toMatch(line);
  });
});
