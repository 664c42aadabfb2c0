/** The one attribute that keys a table, and its DynamoDB type. */
export interface TableKey {
  readonly name: string;
  /** `N`: a number; `S`: a string. */
  readonly type: 'N' | 'S';
}

/** Key of the table of plants: the caller's id. Changing it would replace the table, and so lose every plant. */
export const PLANTS_KEY: TableKey = { name: 'id', type: 'N' };

/** Key of the table of access tokens: the SHA-256 digest of the token, in hexadecimal. */
export const ACCESS_TOKENS_KEY: TableKey = { name: 'digest', type: 'S' };

/** Attribute of an access token after whose time, in epoch seconds, DynamoDB deletes it. */
export const ACCESS_TOKENS_TTL = 'expires';
