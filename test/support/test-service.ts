import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ROUTES } from '../../lambda/routes.ts';
import { documentClient } from '../../lambda/store/store.ts';
import { startDynalite } from '../../local/dynalite-server.ts';
import { ensureTables } from '../../local/ensure-tables.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { accessTokensIn } from '../../operate/shared/access-tokens.ts';
import { startSource } from './function-under-test.ts';
import { storedItem } from './stored-item.ts';

/** The function, started from its sources over dynalite in memory, with a valid access token. */
export type TestService = Awaited<ReturnType<typeof startTestService>>;

/**
 * Starts the function over a store of its own.
 * @param options.allowedOrigins the origins of browser apps
 */
export async function startTestService(options: { allowedOrigins?: readonly string[] | undefined } = {}) {
  const store = await startDynalite({ accessKeyId: 'local' });
  const client = new DynamoDBClient({ endpoint: store.endpoint });
  await ensureTables(client);
  const admin = accessTokensIn(DynamoDBDocumentClient.from(client), LOCAL_TABLES.accessTokens);
  const { token } = await admin.issue(`test-${Math.random().toString(36).slice(2, 8)}`);
  const functionClient = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: store.endpoint });
  return {
    store,
    client,
    admin,
    /** A valid access token. */
    token,
    ...startSource(functionClient, options.allowedOrigins),
    item: (id: string) => storedItem(client, id),
    close: async () => {
      functionClient.destroy();
      client.destroy();
      await store.close();
    },
  };
}

/** A request to create a plant as API Gateway passes it to the function. @param changes fields that differ */
export function plantEvent(
  token: string,
  body: string | Buffer | undefined,
  changes: Partial<APIGatewayProxyEvent> = {},
): Partial<APIGatewayProxyEvent> {
  const { method: httpMethod, path } = ROUTES.createPlant;
  return {
    httpMethod,
    resource: path,
    path,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    requestContext: {
      requestId: 'request-1',
      extendedRequestId: 'JKJaXmPLvHcESHA=',
      identity: { sourceIp: '198.51.100.1' },
    } as never,
    body: body === undefined ? null : Buffer.from(body).toString('base64'),
    isBase64Encoded: body !== undefined,
    ...changes,
  };
}
