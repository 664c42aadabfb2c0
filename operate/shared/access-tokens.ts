import { randomBytes } from 'node:crypto';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { PlainError } from '../../cli/plain-error.ts';
import { tokenDigest } from '../../lambda/tokens/access-token-table.ts';
import { formatToken } from '../../lambda/tokens/token-format.ts';
import { explain, wasRefused } from './aws.ts';
import { pageItems, refuseForeignResponses } from './store-responses.ts';

/** A token's lifetime in days: the default and the maximum. */
export const TOKEN_DAYS = { default: 90, most: 366 } as const;

/** A token that expires in fewer days than this should be replaced soon. */
export const SOON_DAYS = 14;

/** A rotation needs two valid tokens of one name; a third would only increase the risk of a leak. */
const MOST_LIVE_PER_NAME = 2;

/** An item of the table; times are in seconds since the epoch. By hand, anything can be written into it but the key. */
export interface TokenItem {
  readonly digest: string;
  readonly name?: unknown;
  readonly created?: unknown;
  readonly expires?: unknown;
}

/** An item that the function accepts until it expires. It refuses any other, whatever the time. */
interface IssuedToken extends TokenItem {
  readonly name: string;
  readonly expires: number;
}

/** Whether an item is a token. */
export function isToken(item: TokenItem): item is IssuedToken {
  return typeof item.name === 'string' && Number.isSafeInteger(item.expires);
}

/** The short id of a token: the first 8 hex digits of its digest, which identify it without revealing it. */
export function shortId({ digest }: Pick<TokenItem, 'digest'>): string {
  return /^[0-9a-f]{64}$/.test(digest) ? digest.slice(0, 8) : digest;
}

/** The whole days until a token expires; negative once it has expired. */
export function daysLeft({ expires }: Pick<IssuedToken, 'expires'>): number {
  return Math.floor((expires * 1000 - Date.now()) / 86_400_000);
}

export type AccessTokens = ReturnType<typeof accessTokensIn>;

/**
 * Issues, lists and revokes access tokens in one table.
 * @param where the options of `npm run token` that select the table, such as `--stage dev`
 */
export function accessTokensIn(client: DynamoDBDocumentClient, TableName: string, where = '') {
  /** The error for a token that nobody uses and that may be valid: how to see it, and how to revoke it. */
  const mayBeValid = (issued: IssuedToken, reason: unknown): PlainError => {
    const [id, options] = [shortId(issued), where && ` ${where}`];
    return new PlainError(
      `The access token ${id} of ${issued.name} may still be valid (${explain(reason)}). ` +
        `To see it: npm run token -- list${options}. To revoke it: npm run token -- revoke ${id}${options}`,
    );
  };

  /** All items of the table, ordered by expiry. Expired tokens remain until DynamoDB's TTL deletes them. */
  const list = async (): Promise<TokenItem[]> => {
    const pages = paginateScan({ client }, { TableName, ConsistentRead: true });
    const items = await Array.fromAsync(pages, (page) => pageItems(page) as TokenItem[]);
    return items.flat().sort((a, b) => Number(a.expires) - Number(b.expires));
  };

  /**
   * Issues a token. The table keeps only its digest, so the token cannot be shown again later.
   * @param days at most {@link TOKEN_DAYS}.most
   * @throws PlainError if the name has two valid tokens, or this one may have been stored although nobody gets it; the SDK's error
   */
  const issue = async (name: string, days: number = TOKEN_DAYS.default) => {
    const all = (await list()).filter(isToken);
    const live = all.filter((each) => each.name === name && daysLeft(each) >= 0);
    if (live.length >= MOST_LIVE_PER_NAME)
      throw new PlainError(
        `${name} already has ${live.length} valid tokens (${live.map(shortId).join(' and ')}); revoke one of them first.`,
      );
    const token = formatToken(randomBytes(32));
    const created = Math.floor(Date.now() / 1000);
    const issued = { digest: tokenDigest(token), name, created, expires: created + days * 86_400 };
    await client.send(new PutCommand({ TableName, Item: issued })).catch((error) => {
      throw wasRefused(error) ? error : mayBeValid(issued, error);
    });
    return { token, issued };
  };

  /** Revokes a token, which stops working within a minute, or removes an item that is none. @throws the SDK's error */
  const revoke = async ({ digest }: Pick<TokenItem, 'digest'>): Promise<void> => {
    await client.send(new DeleteCommand({ TableName, Key: { digest } }));
  };

  return { issue, list, revoke, mayBeValid };
}

/**
 * Does something with the access tokens of one table.
 * @param settings of the DynamoDB client
 * @param where see {@link accessTokensIn}
 */
export async function withAccessTokens<Result>(
  table: string,
  settings: DynamoDBClientConfig,
  work: (tokens: AccessTokens) => Promise<Result>,
  where?: string,
): Promise<Result> {
  const client = new DynamoDBClient(settings);
  refuseForeignResponses(client);
  // The default throws at a number that a double cannot hold, which somebody may have written by hand.
  const documents = DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: Number } });
  return work(accessTokensIn(documents, table, where)).finally(() => client.destroy());
}
