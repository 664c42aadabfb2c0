import { cpSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite/db/index.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { itemOf, putItem } from '../test/support/stored-item.ts';
import { temporaryFolder } from '../test/support/temporary-root.ts';
import { withStore } from '../test/support/with-store.ts';

const put = (client: DynamoDBClient, id: number) =>
  putItem(client, { ...itemOf(String(id)), later: { S: 'x'.repeat(505) } });

/** A data folder with 100 plants, half of them in a table of LevelDB and half in its log, as after a kill. */
const original = temporaryFolder();
beforeAll(async () => {
  const data = temporaryFolder();
  await withStore(data, async (client) => {
    for (let id = 1; id <= 50; id += 1) await put(client, id);
  });
  await withStore(data, async (client) => {
    for (let id = 51; id <= 100; id += 1) await put(client, id);
    cpSync(data, original, { recursive: true });
  });
  // The service writes it after the tables.
  writeFileSync(path.join(original, 'token'), 'plants_0');
});

/** A copy of that folder. @returns also the path of the first of its files whose name has this part */
function copied() {
  const data = temporaryFolder();
  cpSync(original, data, { recursive: true });
  const store = path.join(data, 'store');
  const file = (part: string) =>
    path.join(store, readdirSync(store).find((name) => name.includes(part)) ?? `no ${part}`);
  return { data, store, file };
}

describe('a damaged store is refused, with the damage and what to do', () => {
  async function expectDamage(data: string, message: string) {
    const refusal = String(await withStore(data, async () => undefined).catch((error) => error));
    expect(refusal).toContain(`PlainError: The data folder ${data} cannot be used (${message}).`);
    expect(refusal).toContain(
      `It is damaged: move it away or delete it. Then this makes a new, empty one: npm start -- --data '${data}'`,
    );
  }

  test('a table of LevelDB that was cut', async () => {
    const { data, file } = copied();
    truncateSync(file('.ldb'), 1_000);
    await expectDamage(data, 'Invalid argument');
  });

  test('a used store in which LevelDB has nothing, as after a power failure that emptied its log', async () => {
    const { data, store } = copied();
    rmSync(store, { recursive: true });
    const { db } = dynalite.create({ path: store });
    await db.open();
    await db.close();
    await expectDamage(data, 'the table Plants is missing');
  });

  test('a store without CURRENT, which LevelDB would take for a new one, and delete its log', async () => {
    const { data, file } = copied();
    rmSync(file('CURRENT'));
    await expectDamage(data, `Invalid argument: ${data}/store: does not exist (create_if_missing is false)`);
    expect(statSync(file('.log')).size).toBeGreaterThan(25_000);
  });
});

test('a table that a kill left in CREATING is made again', async () => {
  const data = temporaryFolder();
  await withStore(data, async () => undefined);
  const { db } = dynalite.create({ path: path.join(data, 'store') });
  for await (const [key, table] of db.iterator({ gte: 'table~', lt: 'table\u007f' })) {
    expect(table).toMatchObject({ TableStatus: 'ACTIVE' });
    await db.put(key, { ...table, TableStatus: 'CREATING' });
  }
  await db.close();
  expect(await withStore(data, (client) => put(client, 1))).toBe('');
});
