import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { connectWithoutTable } from '../../../lambda/tokens/connect-without-table.ts';
import { LOCAL_TABLES } from '../../../local/local-tables.ts';
import { overScript } from '../../support/function-under-test.ts';
import { exception } from '../../support/store-behaviors.ts';
import { storedItems } from '../../support/stored-item.ts';
import { startTestService } from '../../support/test-service.ts';

const PROVIDER = { issuer: 'https://login.example.com', audience: 'plants' };

test.each([
  [undefined, 0],
  [PROVIDER, 0],
  [{ ...PROVIDER, ownTokens: false }, 1],
])('with the provider %j, INIT sends %i puts', async (provider, puts) => {
  vi.stubEnv('IDENTITY_PROVIDER', provider && JSON.stringify(provider));
  vi.stubEnv('PLANTS_TABLE', 'Plants');
  await overScript({ PutItem: [exception('ValidationException')] }, async (client, store) => {
    await connectWithoutTable(client).catch(({ name }) => expect(name).toBe('ValidationException'));
    expect(store.attempts.PutItem ?? 0).toBe(puts);
  });
});

test('the store refuses the put, whatever the table has', async () => {
  vi.stubEnv('IDENTITY_PROVIDER', JSON.stringify({ ...PROVIDER, ownTokens: false }));
  vi.stubEnv('PLANTS_TABLE', LOCAL_TABLES.plants);
  const service = await startTestService();
  const client = DynamoDBDocumentClient.from(service.client);
  await expect(connectWithoutTable(client)).rejects.toMatchObject({ name: 'ValidationException' });
  expect((await storedItems(service.client)).size).toBe(0);
  await service.close();
});
