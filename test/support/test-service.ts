import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { createPlantStore, type Fetch } from '../../client/src/index.ts';
import { ROUTES } from '../../lambda/routes.ts';
import { documentClient } from '../../lambda/store/store.ts';
import { startDynalite } from '../../local/dynalite-server.ts';
import { ensureTables } from '../../local/ensure-tables.ts';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { gatewayRoute, queryParameters } from '../../local/make-proxy-event.ts';
import { accessTokensIn } from '../../operate/shared/access-tokens.ts';
import { type FunctionUnderTest, startSource } from './function-under-test.ts';
import { putItem, storedItem } from './stored-item.ts';

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
  const started = startSource(functionClient, options.allowedOrigins);
  return {
    store,
    client,
    admin,
    /** A valid access token. */
    token,
    ...started,
    /** The service's client, over the function. */
    plantStore: createPlantStore({
      baseUrl: 'http://function',
      token,
      maxAttempts: 1,
      fetch: fetchOf(started),
    }),
    item: (id: string) => storedItem(client, id),
    put: (item: Parameters<typeof putItem>[1]) => putItem(client, item),
    close: async () => {
      functionClient.destroy();
      client.destroy();
      await store.close();
    },
  };
}

/** A `fetch` that invokes the function. */
function fetchOf({ handler }: FunctionUnderTest): Fetch {
  return async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url);
    const event = plantEvent('', body, { ...operationEvent(method, `${pathname}${search}`), headers });
    const response = await handler(event);
    return new Response(response.body, {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
    });
  };
}

/** The fields of an event that say what it is for. @param target the path, with its query if it has one */
export function operationEvent(httpMethod: string, target: string) {
  const [path = '', query] = target.split('?', 2);
  return { httpMethod, path, ...gatewayRoute(path), ...queryParameters(query) };
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
