import { randomBytes } from 'node:crypto';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { PlainError } from '../../cli/plain-error.ts';
import { tokenDigest } from '../../lambda/store/access-token-table.ts';
import { formatToken } from '../../lambda/store/token-format.ts';
import { explain, readAll, wasRefused } from './aws.ts';
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
export interface IssuedToken extends TokenItem {
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
export function daysLeft({ expires }: Pick<IssuedToken, 'expires'>, now = Date.now()): number {
  return Math.floor((expires * 1000 - now) / 86_400_000);
}

/** Issues, lists and revokes access tokens in one table. */
export class AccessTokens {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => number;
  readonly #where: string;

  /**
   * @param now the time in milliseconds since the epoch
   * @param where the options of `npm run token` that select the table, such as `--stage dev`
   */
  constructor(client: DynamoDBDocumentClient, table: string, now = Date.now, where = '') {
    this.#client = client;
    this.#table = table;
    this.#now = now;
    this.#where = where && ` ${where}`;
  }

  /**
   * Issues a token. The table keeps only its digest, so the token cannot be shown again later.
   * @param days at most {@link TOKEN_DAYS}.most
   * @throws PlainError if the name has two valid tokens, or this one may have been stored although nobody gets it; the SDK's error
   */
  async issue(name: string, days: number = TOKEN_DAYS.default) {
    const all = (await this.list()).filter(isToken);
    const live = all.filter((each) => each.name === name && daysLeft(each, this.#now()) >= 0);
    const ids = live.map(shortId).join(' and ');
    if (live.length >= MOST_LIVE_PER_NAME)
      throw new PlainError(
        `${name} already has ${live.length} valid tokens (${ids}); revoke one of them first.`,
      );
    const token = formatToken(randomBytes(32));
    const created = Math.floor(this.#now() / 1000);
    const issued = { digest: tokenDigest(token), name, created, expires: created + days * 86_400 };
    await this.#client.send(new PutCommand({ TableName: this.#table, Item: issued })).catch((error) => {
      throw wasRefused(error) ? error : this.mayBeValid(issued, error);
    });
    return { token, issued };
  }

  /** The error for a token that nobody uses and that may be valid: how to see it, and how to revoke it. */
  mayBeValid(issued: IssuedToken, reason: unknown): PlainError {
    const id = shortId(issued);
    return new PlainError(
      `The access token ${id} of ${issued.name} may still be valid (${explain(reason)}). ` +
        `To see it: npm run token -- list${this.#where}. To revoke it: npm run token -- revoke ${id}${this.#where}`,
    );
  }

  /** All items of the table, ordered by expiry. Expired tokens remain until DynamoDB's TTL deletes them. */
  async list(): Promise<TokenItem[]> {
    const pages = paginateScan({ client: this.#client }, { TableName: this.#table, ConsistentRead: true });
    const items = await readAll(pages, (page) => pageItems(page) as TokenItem[]);
    return items.sort((a, b) => Number(a.expires) - Number(b.expires));
  }

  /** Revokes a token, which stops working within a minute, or removes an item that is none. @throws the SDK's error */
  async revoke({ digest }: Pick<TokenItem, 'digest'>): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: { digest } }));
  }
}

/**
 * Does something with the access tokens of one table.
 * @param settings of the DynamoDB client
 * @param where see {@link AccessTokens}
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
  return work(new AccessTokens(documents, table, Date.now, where)).finally(() => client.destroy());
}
