import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { bodyOf, LEAST } from '../contract/examples.ts';
import { LOCAL_TABLES } from '../local/local-tables.ts';
import { plantEvent, startTestService } from './support/test-service.ts';

const service = await startTestService();
const client = DynamoDBDocumentClient.from(service.client, {
  // As a number of JavaScript is stored where nobody looks.
  marshallOptions: { allowImpreciseNumbers: true },
});
afterAll(() => service.close());

/** The ten-line version with which the README compares the service. */
async function tenLines({ body }: { body: string }) {
  const { id, ...plant } = JSON.parse(body);
  const isFree = 'attribute_not_exists(id)';
  try {
    await client.send(
      new PutCommand({ TableName: LOCAL_TABLES.plants, Item: { id, ...plant }, ConditionExpression: isFree }),
    );
  } catch {
    return { statusCode: 409, body: JSON.stringify({ message: 'The id is taken.' }) };
  }
  return { statusCode: 200, body: JSON.stringify(plant) };
}

const post = (body: string) => service.handler(plantEvent(service.token, body));

describe('what the README says about a ten-line version and this one', () => {
  test('an id beyond 2^53 is stored with another last digit; here it is exact', async () => {
    const body = bodyOf(9007199254740993n);
    expect(await tenLines({ body })).toEqual({ statusCode: 200, body: JSON.stringify(LEAST) });
    expect(await service.item('9007199254740992')).toEqual({ id: '9007199254740992', ...LEAST });
    expect(await service.item('9007199254740993')).toBeUndefined();

    expect(await post(body)).toMatchObject({ statusCode: 200, body: JSON.stringify(LEAST) });
    expect(await service.item('9007199254740993')).toEqual({ id: '9007199254740993', ...LEAST });
  });

  test('a request that is repeated after a lost response is a false conflict; here it gets 200', async () => {
    await tenLines({ body: bodyOf(7) });
    expect(await tenLines({ body: bodyOf(7) })).toEqual({
      statusCode: 409,
      body: '{"message":"The id is taken."}',
    });

    await post(bodyOf(8));
    expect(await post(bodyOf(8))).toMatchObject({ statusCode: 200, body: JSON.stringify(LEAST) });
  });
});
