import { Router } from '@aws-lambda-powertools/event-handler/http';
import { Logger } from '@aws-lambda-powertools/logger';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { create, errorOf, getToken, putPlant, Refusal, requireToken, type Store } from './shared.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());

const store: Store = {
  async readToken(digest) {
    const { Item } = await client.send(new GetCommand(getToken(digest)));
    return Item as { expires: number } | undefined;
  },
  putPlant: (plant) => client.send(new PutCommand(putPlant({ ...plant }))),
};

const logger = new Logger({ serviceName: 'plants' });
const app = new Router({ logger });
app.errorHandler(Error, async (error) => {
  const body = errorOf(error);
  logger.info('refused', { error: body.error });
  return Response.json(body, { status: 400 });
});
app.post('/plants', async ({ req }) => {
  await requireToken(req.headers.get('Authorization') ?? undefined, store);
  const value = await req.json().catch(() => {
    throw new Refusal(40001, 'The body must be JSON.');
  });
  const plant = await create(value, store);
  logger.info('created', { id: String((value as { id: number }).id) });
  return { ...plant };
});

/**
 * The event handler of Powertools for AWS Lambda, with its logger: one line for each request, like ours;
 * and the official document client, with all its defaults.
 */
export const handler = (event: APIGatewayProxyEvent, context: Context) => {
  logger.addContext(context);
  return app.resolve(event, context);
};
