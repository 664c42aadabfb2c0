import { createHash } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { Failure } from '../errors.ts';
import { TOKEN_CACHE_MS, TOKEN_CACHE_SIZE } from '../limits.ts';
import { callStore, type StoreCalls } from '../store/store.ts';
import { isWithin, type Moment, moment } from './moment.ts';
import { isTokenFormat } from './token-format.ts';

/** A remembered access token. */
interface KnownToken {
  readonly name: string;
  /** When it expires, in seconds since the epoch. Compared on every use, because DynamoDB's TTL deletes late. */
  readonly expires: number;
  /** When the table was read. */
  readonly readAt: Moment;
}

/** The key of an access token in the table. The token itself is not stored. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Finds the name of an access token: the table, or what stands before it. */
export type TokenFinder = Pick<AccessTokenTable, 'find'>;

/** Accepts more tokens than a finder does, and leaves all others to it. The finder is made when it is asked for. */
export type AcceptMore = (finder: () => TokenFinder) => TokenFinder;

/** Looks up access tokens by digest, and remembers for a minute those that it found. */
export class AccessTokenTable {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #known = new Map<string, KnownToken>();

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Finds the name of a token. A found token is remembered, so a revoked one works for at most {@link TOKEN_CACHE_MS}.
   * A token that was not found is not remembered, so a new one works at once.
   * @returns the name that the token was issued to
   * @throws Failure 40102 when it is malformed, which needs no lookup, unknown or expired; 42901, 50001 or 50301 when the
   * lookup fails
   */
  async find(token: string, calls: StoreCalls): Promise<string> {
    if (!isTokenFormat(token)) throw new Failure('INVALID_TOKEN', { fault: 'malformed token' });
    const digest = tokenDigest(token);
    const remembered = this.#known.get(digest);
    const known =
      remembered && isWithin(TOKEN_CACHE_MS, remembered.readAt)
        ? remembered
        : await this.#read(digest, calls);
    if (!known) throw new Failure('INVALID_TOKEN', { fault: 'unknown token' });
    if (known.expires * 1000 <= Date.now()) throw new Failure('INVALID_TOKEN', { fault: 'expired token' });
    return known.name;
  }

  async #read(digest: string, calls: StoreCalls): Promise<KnownToken | undefined> {
    this.#known.delete(digest);
    const readAt = moment();
    const get = new GetCommand({ TableName: this.#table, Key: { digest }, ConsistentRead: true });
    const attempt = () => this.#client.send(get, { abortSignal: calls.signal });
    const { Item: item } = await callStore('read', attempt, calls);
    // An entry with anything else might never expire.
    const expires = Number(item?.expires?.digits);
    if (typeof item?.name !== 'string' || !Number.isSafeInteger(expires)) return undefined;
    const known = { name: item.name, expires, readAt };
    // A Map keeps the order of insertion, so the first key is the oldest.
    if (this.#known.size === TOKEN_CACHE_SIZE) this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(digest, known);
    return known;
  }
}
