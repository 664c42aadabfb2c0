import { randomBytes } from 'node:crypto';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { formatToken } from '../../lambda/request/token-format.ts';
import { tokenDigest } from '../../lambda/store/access-token-table.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { readAll } from '../stage/aws.ts';

/** A token's lifetime in days: the default and the maximum. */
export const TOKEN_DAYS = { default: 90, most: 366 } as const;

/** A token that expires in fewer days than this should be replaced soon. */
export const SOON_DAYS = 14;

/** A rotation needs two valid tokens of one name; a third would only increase the risk of a leak. */
const MOST_LIVE_PER_NAME = 2;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** An issued access token, as stored in the table. Times are in seconds since the epoch. */
export interface IssuedToken {
  readonly digest: string;
  readonly name: string;
  readonly created: number;
  readonly expires: number;
}

/** The short id of a token: the first 8 hex digits of its digest, which identify it without revealing it. */
export function shortId({ digest }: Pick<IssuedToken, 'digest'>): string {
  return digest.slice(0, 8);
}

/** The whole days until a token expires; negative once it has expired. */
export function daysLeft({ expires }: Pick<IssuedToken, 'expires'>): number {
  return Math.floor((expires * 1000 - Date.now()) / 86_400_000);
}

/**
 * Does something with the access tokens of one table.
 * @param settings of the DynamoDB client
 */
export async function withTokenAdmin<Result>(
  table: string,
  settings: DynamoDBClientConfig,
  work: (admin: AccessTokenAdmin) => Promise<Result>,
): Promise<Result> {
  const client = new DynamoDBClient(settings);
  try {
    return await work(new AccessTokenAdmin(DynamoDBDocumentClient.from(client), table));
  } finally {
    client.destroy();
  }
}

/** Issues, lists and revokes access tokens in one table. */
export class AccessTokenAdmin {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => number;

  /** @param now the time in milliseconds since the epoch */
  constructor(client: DynamoDBDocumentClient, table: string, now: () => number = Date.now) {
    this.#client = client;
    this.#table = table;
    this.#now = now;
  }

  /**
   * Issues a token. The table keeps only its digest, so the token cannot be shown again later.
   * @param days at most {@link TOKEN_DAYS}.most
   * @throws PlainError if the name is invalid or has two valid tokens
   */
  async issue(
    name: string,
    days: number = TOKEN_DAYS.default,
  ): Promise<{ token: string; issued: IssuedToken }> {
    if (!NAME.test(name))
      throw new PlainError(
        `"${name}" is not a valid name: use 1 to 64 letters, digits, dots, dashes and underscores.`,
      );
    const live = (await this.list()).filter((issued) => issued.name === name && this.isLive(issued));
    const ids = live.map(shortId).join(' and ');
    if (live.length >= MOST_LIVE_PER_NAME)
      throw new PlainError(
        `${name} already has ${live.length} valid tokens (${ids}); revoke one of them first.`,
      );
    const token = formatToken(randomBytes(32));
    const created = Math.floor(this.#now() / 1000);
    const issued = { digest: tokenDigest(token), name, created, expires: created + days * 86_400 };
    await this.#client.send(new PutCommand({ TableName: this.#table, Item: issued }));
    return { token, issued };
  }

  /** All tokens in the table, ordered by expiry; expired ones remain until DynamoDB's TTL deletes them. */
  async list(): Promise<IssuedToken[]> {
    const pages = paginateScan({ client: this.#client }, { TableName: this.#table, ConsistentRead: true });
    const issued = await readAll(pages, ({ Items }) => Items as IssuedToken[]);
    return issued.sort((a, b) => a.expires - b.expires);
  }

  /** Whether a token has not expired yet. */
  isLive(issued: IssuedToken): boolean {
    return issued.expires * 1000 > this.#now();
  }

  /**
   * Revokes one token: it stops working within a minute.
   * @param id the token's short id, or more of its digest
   * @throws PlainError if no token, or more than one, has this id
   */
  async revoke(id: string): Promise<IssuedToken> {
    const found = /^[0-9a-f]{8,64}$/.test(id)
      ? (await this.list()).filter(({ digest }) => digest.startsWith(id))
      : [];
    const [one, another] = found;
    if (!one) throw new PlainError(`No token has the id "${id}"; "list" shows the ids.`);
    if (another)
      throw new PlainError(`More than one token has the id "${id}"; give more digits of the digest.`);
    await this.#delete(one);
    return one;
  }

  /**
   * Revokes every token of a name.
   * @throws PlainError if the name has no tokens
   */
  async revokeAll(name: string): Promise<IssuedToken[]> {
    const found = (await this.list()).filter((issued) => issued.name === name);
    if (found.length === 0) throw new PlainError(`No token has the name "${name}"; "list" shows the names.`);
    for (const issued of found) await this.#delete(issued);
    return found;
  }

  async #delete({ digest }: IssuedToken): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: { digest } }));
  }
}
