import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../../../lambda/store/store.ts';
import { type Script, ScriptedStore } from '../../support/scripted-store.ts';

Object.assign(process.env, {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

/** Runs work with the function's client for a store that follows a script. @returns the result of the work */
export async function overScript<T>(
  script: Script,
  work: (client: DynamoDBDocumentClient, store: ScriptedStore) => Promise<T>,
): Promise<T> {
  const store = await ScriptedStore.start({ script });
  const client = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: store.endpoint });
  try {
    return await work(client, store);
  } finally {
    client.destroy();
    await store.close();
  }
}
