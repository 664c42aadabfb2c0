import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { create, errorOf, getToken, putPlant, Refusal, requireToken, type Store } from './shared.ts';

const client = new DynamoDBClient();

const store: Store = {
  async readToken(digest) {
    const { Item } = await client.send(new GetItemCommand(getToken({ S: digest })));
    return Item && { expires: Number(Item.expires?.N) };
  },
  putPlant({ id, name, tag }) {
    const item = { id: { N: String(id) }, name: { S: name }, ...(tag !== undefined && { tag: { S: tag } }) };
    return client.send(new PutItemCommand(putPlant(item)));
  },
};

/** No framework, `@aws-sdk/client-dynamodb` with all its defaults. */
export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  try {
    await requireToken(event.headers.Authorization, store);
    return respond(200, await create(parse(event), store));
  } catch (error) {
    return respond(400, errorOf(error));
  }
}

function parse({ body, isBase64Encoded }: APIGatewayProxyEvent): unknown {
  try {
    return JSON.parse(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString());
  } catch {
    throw new Refusal(40001, 'The body must be JSON.');
  }
}

function respond(statusCode: 200 | 400, body: object): APIGatewayProxyResult {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
