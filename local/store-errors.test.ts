import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bodyOf, LEAST } from '../contract/examples.ts';
import { idOf } from '../contract/key.ts';
import { someOf } from '../test/support/exhaustive.ts';
import { startLocalProcess } from '../test/support/local-process.ts';
import { withText } from '../test/support/properties.ts';
import { storedItems } from '../test/support/stored-item.ts';
import { temporaryFolder } from '../test/support/temporary-root.ts';
import { withStore } from '../test/support/with-store.ts';

test('if the files of the store cannot be written, the service returns 50301 or 50401, prints one line and ends; what it acknowledged is stored', async () => {
  const data = temporaryFolder();
  // 512 or 1,024 bytes each, by shell.
  const server = await startLocalProcess(data, { limit: '-f 40' });
  const plant = withText('x'.repeat(500));
  const enough = 70_000 / bodyOf(1, plant).length;
  const responses: string[] = [];
  for (let id = 1; id <= enough; id += 1) {
    const response = await server.post(bodyOf(id, plant)).catch(() => undefined);
    const error = response && JSON.parse(response.body).error;
    responses.push(response?.status === 200 ? 'stored' : String(error));
  }
  expect(await server.exit).toBe(1);
  const stored = responses.lastIndexOf('stored') + 1;
  expect(stored).toBeGreaterThan(10);
  expect(responses[stored]).toBe('50401');
  // Connections are refused after the end.
  expect(responses.slice(stored).filter((each) => !/^50[34]01$|^undefined$/.test(each))).toEqual([]);
  const [, afterwards = ''] = server.output().split('Stop it with Ctrl-C.\n');
  const lines = afterwards.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  expect(lines).toEqual([`The data folder ${data} cannot be used (File too large). The service stops.`]);

  await withStore(data, async (client) => {
    const items = await storedItems(client);
    for (let id = 1; id <= stored; id += 1) expect(items.get(idOf(id))).toEqual({ id: idOf(id), ...plant });
  });
});

test.each(someOf(['a new folder', 'a used folder'], 'starts at one moment'))(
  'of several starts on %s at one moment, one works and the others say so',
  async (what) => {
    const data = path.join(temporaryFolder(), 'data');
    if (what === 'a used folder') await withStore(data, async () => undefined);
    const starts = await Promise.allSettled([1, 2, 3].map(() => startLocalProcess(data)));
    const [winner, ...others] = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    if (!winner) throw new Error('None has started.');
    expect(others).toEqual([]);
    const user = '(the service at http://127\\.0\\.0\\.1:\\d+, )?process (\\d+|that is starting)';
    const line = RegExp(`^The data folder ${data} is in use by ${user}; stop it, or choose --data\\.\\n$`);
    for (const each of starts) if (each.status === 'rejected') expect(each.reason.message).toMatch(line);
    // Its token and its address, not those of one that lost.
    const read = (file: string) => readFileSync(path.join(data, file), 'utf8');
    const { token, url, endpoint } = winner;
    expect([read('token'), read('url'), read('endpoint')]).toEqual([token, url, endpoint]);
    expect(await winner.post(bodyOf(1))).toMatchObject({ status: 200 });
    expect(await winner.item('1')).toEqual({ id: '1', ...LEAST });
    await winner.end();
  },
);
