import { cpSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import database from 'dynalite/db/index.js';
import { beforeAll, expect, test } from 'vitest';
import { LEAST, TEXT } from '../contract/examples.ts';
import { itemOf } from '../test/support/stored-item.ts';
import { temporaryFolder } from '../test/support/temporary-root.ts';
import { withStore } from '../test/support/with-store.ts';

/** A used data folder, whose plants are in a table of LevelDB. */
const original = temporaryFolder();
beforeAll(async () => {
  await withStore(original, async (client, folder) => {
    for (let id = 1; id <= 9; id += 1) {
      const Item = itemOf(String(id), { ...LEAST, [TEXT]: 'x'.repeat(505) });
      await client.send(new PutItemCommand({ TableName: 'Plants', Item }));
    }
    folder.write('token', 'plants_0');
  });
  // Opened again, LevelDB moves what is in its log to a table.
  await withStore(original, async () => undefined);
});

test.each<[what: string, damage: (store: string) => unknown, message: string]>([
  [
    'a table of LevelDB that was cut',
    (store) =>
      truncateSync(path.join(store, String(readdirSync(store).find((name) => /ldb$/.test(name)))), 1_000),
    '(Invalid argument)',
  ],
  [
    'a used store in which LevelDB has nothing, as after a power failure that emptied its log',
    async (store) => {
      rmSync(store, { recursive: true });
      const { db } = database.create({ path: store });
      await db.open();
      await db.close();
    },
    '(Corruption: the table Plants is missing)',
  ],
])('a damaged store is refused, with the damage and what to do: %s', async (_, damage, message) => {
  const data = temporaryFolder();
  cpSync(original, data, { recursive: true });
  await damage(path.join(data, 'store'));
  const refusal = String(await withStore(data, async () => undefined).catch((error) => error));
  expect(refusal).toContain(`PlainError: The data folder ${data} cannot be used (`);
  expect(refusal).toContain(message);
  expect(refusal).toContain(
    'It is damaged: move it away or delete it, and npm start makes a new, empty one.',
  );
});
