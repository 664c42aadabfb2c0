/** A token's lifetime in days: the default and the maximum. */
export const TOKEN_DAYS = { default: 90, most: 366 } as const;

/** A token that expires in fewer days than this should be replaced soon. */
export const SOON_DAYS = 14;

/** An item of the table. By hand, anything can be written into it but the key. */
export interface TokenItem {
  readonly digest: string;
  readonly name?: unknown;
  readonly created?: unknown;
  readonly expires?: unknown;
}

/** An access token, as stored in the table. Times are in seconds since the epoch; `created` is only shown. */
export interface IssuedToken extends TokenItem {
  readonly name: string;
  readonly expires: number;
}

/** What an admin of tokens may be told. */
export interface AdminOptions {
  /** The time in milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** The option of `npm run token` that selects the table, such as `--stage dev`; none for the local default. */
  readonly where?: string | undefined;
}

/** Whether an item is a token. The function refuses any other, whatever the time. */
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

/** The command that revokes a token, or removes an item that is none. @param where see {@link AdminOptions} */
export function revokeCommand(item: TokenItem, where: string | undefined): string {
  const id = shortId(item);
  const words = ['npm run token -- revoke', /^\w+$/.test(id) ? id : `'${id}'`, where];
  return words.filter(Boolean).join(' ');
}
