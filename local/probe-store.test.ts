import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { afterAll, expect, test, vi } from 'vitest';
import { IS_NUMBER } from '../contract/key.ts';
import { expectRefusal } from '../test/support/run-command.ts';
import { ScriptedStore } from '../test/support/scripted-store.ts';
import { ok, pass, taken } from '../test/support/store-behaviors.ts';
import { storedItems } from '../test/support/stored-item.ts';
import { listen } from './listen.ts';

const server = dynalite({ createTableMs: 0 });
const endpoint = await listen(server);
const client = new DynamoDBClient({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
});
afterAll(() => {
  client.destroy();
  server.close();
});

test.each([
  ['a store without the old item, as dynalite 4', [pass, taken({})], 'it does not return the old item'],
  ['a store that ignores conditions', [pass, ok({})], 'it does not keep conditions'],
  [
    'a store that always refuses',
    [taken({})],
    `it has a plant ${IS_NUMBER ? '-[34]\\d{18}' : '.+'} already, or says so`,
  ],
])('npm start ends with one line on %s, and leaves no plant in it', async (_, PutItem, why) => {
  const store = await ScriptedStore.start({ store: endpoint, script: { PutItem } });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', store.endpoint);
  await expectRefusal('start', ['--port', '0'], {
    code: 1,
    message: RegExp(`The store at ${store.endpoint} cannot be used \\(${why}\\)`),
  });
  expect(await storedItems(client)).toEqual(new Map());
  await store.close();
});
