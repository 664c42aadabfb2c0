import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { LEAST } from '../contract/examples.ts';
import { IS_NUMBER, idOf } from '../contract/key.ts';
import { newId } from '../contract/reserved-ids.ts';
import { jsonOf } from '../lambda/json.ts';
import { NEW_PLANT } from '../lambda/plant.ts';
import { LOCAL_TABLES } from './local-tables.ts';

/**
 * Tries in a store what makes a create safe to repeat: puts a plant twice, as the function does, and deletes it. Its id is random, among
 * those that are reserved for tests.
 * @throws Error if the store ignores conditions, in which the service would overwrite plants; if it does not return the item that refused
 * a put, whole, without which every retry would fail; if the id is taken, whose plant stays as it is
 */
export async function probeStore(client: DynamoDBClient): Promise<void> {
  const documents = DynamoDBDocumentClient.from(client);
  const [TableName, id] = [LOCAL_TABLES.plants, IS_NUMBER ? newId() : idOf(newId())];
  const plant = { id, ...LEAST };
  const put = new PutCommand({
    TableName,
    Item: plant,
    ConditionExpression: 'attribute_not_exists(#id)',
    ExpressionAttributeNames: { '#id': 'id' },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const refusal = () =>
    documents.send(put).then(
      () => undefined,
      (error) => {
        if (error instanceof ConditionalCheckFailedException) return error;
        throw error;
      },
    );
  if (await refusal()) throw new Error(`it has a plant ${id} already, or says so`);
  try {
    const refused = await refusal();
    if (!refused) throw new Error('it does not keep conditions');
    const { Item: M = {} } = refused;
    const old = NEW_PLANT.decode({ M });
    if (!old || jsonOf(old) !== jsonOf(plant)) throw new Error('it does not return the old item');
  } finally {
    await documents.send(new DeleteCommand({ TableName, Key: { id } }));
  }
}
