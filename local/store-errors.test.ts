import { expect, test } from 'vitest';
import { bodyOf, LEAST, TEXT } from '../contract/examples.ts';
import { startLocalProcess, temporaryFolder } from '../test/support/local-process.ts';
import { fitting } from '../test/support/properties.ts';
import { storedItems } from '../test/support/stored-item.ts';
import { withStore } from '../test/support/with-store.ts';

test('if the files of the store cannot be written, the service returns 50301 or 50401, prints one line and ends; what it acknowledged is stored', async () => {
  const data = temporaryFolder();
  // 512 or 1,024 bytes each, by shell.
  const server = await startLocalProcess(data, { limit: '-f 40' });
  const plant = { ...LEAST, [TEXT]: fitting('x'.repeat(500)) };
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
    for (let id = 1; id <= stored; id += 1)
      expect(items.get(String(id))).toEqual({ id: String(id), ...plant });
  });
});
