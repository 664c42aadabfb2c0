import { randomBytes } from 'node:crypto';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { PlainError } from '../../cli/plain-error.ts';
import { tokenDigest } from '../../lambda/store/access-token-table.ts';
import { formatToken } from '../../lambda/store/token-format.ts';
import { explain, readAll, wasRefused } from './aws.ts';
import {
  type AdminOptions,
  type IssuedToken,
  isToken,
  revokeCommand,
  shortId,
  TOKEN_DAYS,
  type TokenItem,
} from './issued-token.ts';
import { pageItems } from './store-responses.ts';

/** A rotation needs two valid tokens of one name; a third would only increase the risk of a leak. */
const MOST_LIVE_PER_NAME = 2;

/** Issues, lists and revokes access tokens in one table. */
export class AccessTokenAdmin {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => number;
  /** The command that revokes a token, or removes an item that is none. */
  readonly revokeCommand: (item: TokenItem) => string;

  constructor(client: DynamoDBDocumentClient, table: string, { now, where }: AdminOptions = {}) {
    this.#client = client;
    this.#table = table;
    this.#now = now ?? Date.now;
    this.revokeCommand = (item) => revokeCommand(item, where);
  }

  /**
   * Issues a token. The table keeps only its digest, so the token cannot be shown again later.
   *
   * However many commands issue tokens of one name at the same time, at most two tokens that they return are valid: each looks
   * again after its put, and withdraws its own token if it sees more than two. Of those that stay, the one whose put ended last
   * would have seen the others (a consistent Scan has all writes that ended before it began: API reference, Scan).
   * @param days at most {@link TOKEN_DAYS}.most
   * @param stop if it is aborted, no token stays in the table
   * @throws PlainError if the name has two valid tokens, or others issue some at the same time, or if a token may have been stored and cannot be withdrawn, which it
   *   names; the SDK's error, or the reason of the abort, if none was stored
   */
  async issue(name: string, days: number = TOKEN_DAYS.default, stop?: AbortSignal) {
    await this.#requireRoom(name);
    const token = formatToken(randomBytes(32));
    const created = Math.floor(this.#now() / 1000);
    const issued = { digest: tokenDigest(token), name, created, expires: created + days * 86_400 };
    stop?.throwIfAborted();
    await this.#put(issued);
    const live = await this.#live(name).catch(async (error) => {
      await this.withdraw(issued);
      throw error;
    });
    if (live.length <= MOST_LIVE_PER_NAME && !stop?.aborted) return { token, issued };
    await this.withdraw(issued);
    stop?.throwIfAborted();
    throw new PlainError(`No token was issued: others issue tokens for ${name} at the same time; try again.`);
  }

  /** All tokens in the table, ordered by expiry, and the items that are none. Expired ones remain until DynamoDB's TTL deletes them. */
  async list(): Promise<{ tokens: IssuedToken[]; damaged: TokenItem[] }> {
    const items = await this.#items();
    return {
      tokens: items.filter(isToken).sort((a, b) => a.expires - b.expires),
      damaged: items.filter((item) => !isToken(item)),
    };
  }

  /** Whether a token has not expired yet. */
  isLive(issued: IssuedToken): boolean {
    return issued.expires * 1000 > this.#now();
  }

  /**
   * Revokes one token: it stops working within a minute.
   * @param id the token's short id, or more of its digest
   * @throws PlainError if no token, or more than one, has this id, or if it is not known to be revoked
   */
  async revoke(id: string): Promise<readonly TokenItem[]> {
    const isPrefix = /^[0-9a-f]{8,64}$/.test(id);
    const found = (await this.#items()).filter(
      ({ digest }) => digest === id || (isPrefix && digest.startsWith(id)),
    );
    if (found.length === 0) throw new PlainError(`No token has the id "${id}"; "list" shows the ids.`);
    if (found.length > 1)
      throw new PlainError(`More than one token has the id "${id}"; give more digits of the digest.`);
    return this.#deleteEach(found);
  }

  /**
   * Revokes every token of a name.
   * @throws PlainError if the name has no tokens, or if some are not known to be revoked
   */
  async revokeAll(name: string): Promise<readonly TokenItem[]> {
    const found = (await this.#items()).filter((item) => item.name === name);
    if (found.length === 0) throw new PlainError(`No token has the name "${name}"; "list" shows the names.`);
    return this.#deleteEach(found);
  }

  /** Revokes a token that this admin has issued. @throws PlainError that names it, and the command that revokes it */
  async withdraw(issued: IssuedToken): Promise<void> {
    await this.#delete(issued).catch((error) => {
      throw new PlainError(
        `The access token ${shortId(issued)} of ${issued.name} may still be valid (${explain(error)}). ` +
          `To revoke it: ${this.revokeCommand(issued)}`,
      );
    });
  }

  /** @throws the SDK's error; the token is then not in the table. PlainError if that is not known */
  async #put(issued: IssuedToken): Promise<void> {
    const put = new PutCommand({ TableName: this.#table, Item: issued });
    await this.#client.send(put).catch(async (error) => {
      if (!wasRefused(error)) await this.withdraw(issued);
      throw error;
    });
  }

  async #requireRoom(name: string): Promise<void> {
    const live = await this.#live(name);
    const ids = live.map(shortId).join(' and ');
    if (live.length >= MOST_LIVE_PER_NAME)
      throw new PlainError(
        `${name} already has ${live.length} valid tokens (${ids}); revoke one of them first.`,
      );
  }

  async #live(name: string): Promise<IssuedToken[]> {
    return (await this.list()).tokens.filter((issued) => issued.name === name && this.isLive(issued));
  }

  async #items(): Promise<TokenItem[]> {
    const pages = paginateScan({ client: this.#client }, { TableName: this.#table, ConsistentRead: true });
    return readAll(pages, (page) => pageItems(page) as TokenItem[]);
  }

  /** Also those after one that cannot be deleted. @throws PlainError that says which are revoked, if a call fails */
  async #deleteEach(items: readonly TokenItem[]): Promise<readonly TokenItem[]> {
    const left = new Map<TokenItem, unknown>();
    for (const item of items) await this.#delete(item).catch((error) => left.set(item, error));
    if (left.size === 0) return items;
    const [reason] = left.values();
    const ids = (isLeft: boolean) =>
      items
        .filter((item) => left.has(item) === isLeft)
        .map(shortId)
        .join(', ') || 'none';
    throw new PlainError(
      `revoked: ${ids(false)}; not revoked, or not known to be: ${ids(true)} (${explain(reason)}); run the command again.`,
    );
  }

  async #delete({ digest }: Pick<TokenItem, 'digest'>): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: { digest } }));
  }
}
