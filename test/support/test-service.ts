import { createHash } from 'node:crypto';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { createPlantHandler } from '../../lambda/create-plant.ts';
import type { RequestLogLine } from '../../lambda/request/request.ts';
import { AccessTokenTable } from '../../lambda/store/access-token-table.ts';
import { PlantTable } from '../../lambda/store/plant-table.ts';
import { documentClient } from '../../lambda/store/store.ts';
import { type EmbeddedStore, startEmbeddedStore } from '../../local/embedded-store.ts';
import { ensureTables, LOCAL_TABLES } from '../../local/tables.ts';
import { AccessTokenAdmin } from '../../tools/access-token-admin.ts';

process.env.AWS_REGION = 'local';
process.env.AWS_ACCESS_KEY_ID = 'local';
process.env.AWS_SECRET_ACCESS_KEY = 'local';

/** A plant as the table has it. */
export interface StoredItem {
  readonly id: string;
  readonly name: string;
  readonly tag?: string;
}

/** The function as deployed but for its store, which is dynalite in memory, with a token to use and its log to read. */
export interface TestService {
  readonly store: EmbeddedStore;
  readonly client: DynamoDBClient;
  readonly admin: AccessTokenAdmin;
  /** A valid access token. */
  readonly token: string;
  readonly lines: RequestLogLine[];
  readonly handler: (event: unknown, context?: Partial<Context>) => Promise<APIGatewayProxyResult>;
  item(id: string): Promise<StoredItem | undefined>;
  close(): Promise<void>;
}

/**
 * Starts the function over a store of its own.
 * @param options.now the clock that tokens expire by, in milliseconds since the epoch
 * @param options.endpoint where the function finds the store, if something stands between
 * @param options.allowedOrigins the origins of browser apps
 */
export async function startTestService(
  options: {
    now?: () => number;
    endpoint?: string;
    store?: EmbeddedStore;
    allowedOrigins?: readonly string[];
  } = {},
): Promise<TestService> {
  const store = options.store ?? (await startEmbeddedStore({ accessKeyId: 'local' }));
  const client = new DynamoDBClient({ endpoint: store.endpoint });
  await ensureTables(client);
  const admin = new AccessTokenAdmin(
    DynamoDBDocumentClient.from(client),
    LOCAL_TABLES.accessTokens,
    options.now,
  );
  const { token } = await admin.issue(`test-${Math.random().toString(36).slice(2, 8)}`);
  const functionClient = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: options.endpoint ?? store.endpoint });
  const lines: RequestLogLine[] = [];
  const handler = createPlantHandler({
    accessTokens: new AccessTokenTable(
      functionClient,
      LOCAL_TABLES.accessTokens,
      options.now && { now: options.now },
    ),
    plants: new PlantTable(functionClient, LOCAL_TABLES.plants),
    writeLog: (line) => lines.push(line),
    allowedOrigins: options.allowedOrigins,
    version: '7',
  });
  return {
    store,
    client,
    admin,
    token,
    lines,
    handler: (event, context = {}) => handler(event, context),
    item: (id) => storedItem(client, id),
    close: async () => {
      functionClient.destroy();
      client.destroy();
      await store.close();
    },
  };
}

/** The stored item as DynamoDB's own JSON has it, or undefined: a number is the digits that are in the table. */
export async function storedItem(client: DynamoDBClient, id: string): Promise<StoredItem | undefined> {
  const get = new GetItemCommand({
    TableName: LOCAL_TABLES.plants,
    Key: { id: { N: id } },
    ConsistentRead: true,
  });
  const { Item: item } = await client.send(get).catch((error: Error) => {
    // No number in DynamoDB has more than 38 digits, so there is no such item either.
    if (error.name === 'ValidationException') return { Item: undefined };
    throw error;
  });
  if (!item) return undefined;
  const { id: number, name, tag, ...rest } = item;
  if (Object.keys(rest).length > 0) throw new Error(`The item has more: ${Object.keys(rest)}`);
  return { id: number?.N ?? '', name: name?.S ?? '', ...(tag ? { tag: tag.S ?? '' } : {}) };
}

/** A `POST /plants` as the gateway hands it on, with what a test wants otherwise. */
export function plantEvent(
  token: string,
  body: string | Buffer | undefined,
  changes: Partial<APIGatewayProxyEvent> = {},
): Partial<APIGatewayProxyEvent> {
  return {
    httpMethod: 'POST',
    resource: '/plants',
    path: '/plants',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    requestContext: { requestId: 'request-1' } as never,
    body: body === undefined ? null : Buffer.from(body).toString('base64'),
    isBase64Encoded: body !== undefined,
    ...changes,
  };
}

/** The error number of an answer; throws when the answer is none of the contract's errors. */
export function errorOf(answer: APIGatewayProxyResult): number {
  const { error } = JSON.parse(answer.body) as { error?: number };
  if (answer.statusCode !== 400 || !Number.isInteger(error)) throw new Error(`Not an Error: ${answer.body}`);
  return error as number;
}

/** Names that some case gives a plant, and that stand in every log line for other reasons. */
const WORDS_OF_JSON = ['true', 'false', 'null'];

/**
 * What of these texts a log holds, as they are or digested. Texts of three characters or fewer are not looked for.
 * @param secrets tokens, and the names and tags of plants
 */
export function leaks(log: string, secrets: readonly string[]): string[] {
  const digests = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'));
  const telling = secrets.filter((secret) => secret.length > 3 && !WORDS_OF_JSON.includes(secret));
  return [...telling, ...digests].filter((secret) => log.includes(secret));
}
