import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { LOCAL_TABLES } from '../local/local-tables.ts';
import { plantEvent, startTestService } from './support/test-service.ts';

const service = await startTestService();
const client = new DynamoDBClient({ endpoint: service.store.endpoint });
afterAll(async () => {
  client.destroy();
  await service.close();
});

/** The ten-line version with which the README compares the service. */
async function tenLines({ body }: { body: string }) {
  const { id, name } = JSON.parse(body);
  const item = { id: { N: String(id) }, name: { S: name } };
  const isFree = 'attribute_not_exists(id)';
  try {
    await client.send(
      new PutItemCommand({ TableName: LOCAL_TABLES.plants, Item: item, ConditionExpression: isFree }),
    );
  } catch {
    return { statusCode: 409, body: JSON.stringify({ message: 'The id is taken.' }) };
  }
  return { statusCode: 200, body: JSON.stringify({ name }) };
}

const post = (body: string) => service.handler(plantEvent(service.token, body));

describe('what the README says about a ten-line version and this one', () => {
  test('an id beyond 2^53 is stored with another last digit; here it is exact', async () => {
    const body = '{"id":9007199254740993,"name":"Fern"}';
    expect(await tenLines({ body })).toEqual({ statusCode: 200, body: '{"name":"Fern"}' });
    expect(await service.item('9007199254740992')).toEqual({ id: '9007199254740992', name: 'Fern' });
    expect(await service.item('9007199254740993')).toBeUndefined();

    expect(await post(body)).toMatchObject({ statusCode: 200, body: '{"name":"Fern"}' });
    expect(await service.item('9007199254740993')).toEqual({ id: '9007199254740993', name: 'Fern' });
  });

  test('a request that is repeated after a lost response is a false conflict; here it gets 200', async () => {
    await tenLines({ body: '{"id":7,"name":"Fern"}' });
    expect(await tenLines({ body: '{"id":7,"name":"Fern"}' })).toEqual({
      statusCode: 409,
      body: '{"message":"The id is taken."}',
    });

    await post('{"id":8,"name":"Fern"}');
    expect(await post('{"id":8,"name":"Fern"}')).toMatchObject({ statusCode: 200, body: '{"name":"Fern"}' });
  });
});
