import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, test, vi } from 'vitest';
import { itemOf, putItem } from '../test/support/stored-item.ts';
import { ensureTables } from './ensure-tables.ts';
import { LOCAL_TABLES } from './local-tables.ts';
import { makeServer, makeStore } from './patched-dynalite.ts';

test('a page of a scan frees what it has read', async () => {
  const store = makeStore(undefined);
  await store.db.open();
  const { server, respond } = makeServer(store);
  server.on('request', respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  await ensureTables(client);
  for (const id of ['1', '2', '3']) await putItem(client, itemOf(id));

  const values = vi.spyOn(store.db, 'values');
  const page = await client.send(new ScanCommand({ TableName: LOCAL_TABLES.plants, Limit: 2 }));
  expect(page.Count).toBe(2);
  expect(values).toHaveBeenCalledOnce();
  const [iterator] = values.mock.results.map(({ value }) => value);
  await expect(iterator.next()).rejects.toMatchObject({ code: 'LEVEL_ITERATOR_NOT_OPEN' });

  client.destroy();
  server.closeAllConnections();
  server.close();
});
