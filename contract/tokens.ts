import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ContractCase } from './contract-case.ts';

/**
 * A placeholder in braces in a header's value, which the code that sends the case replaces:
 * - `token`: a valid access token
 * - `expired`: an expired token
 * - `revoked`: a token that was valid and is no longer in the table
 * - `unknown`: a token with the right format and checksum that was never issued
 * - `mistyped`: the valid token with one character changed, so that its checksum is wrong
 * - `digest`: the SHA-256 digest of the valid token, in hex
 */
export type TokenKind = 'token' | 'expired' | 'revoked' | 'unknown' | 'mistyped' | 'digest';

/** The text that replaces each placeholder. */
export type Tokens = Record<TokenKind, string>;

const PLACEHOLDER = /\{(\w+)\}/g;
/** The digits of Base62, lowest first. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Appends a token's checksum: CRC-32 in six Base62 characters, computed without the service's code. */
export function withChecksum(body: string): string {
  let rest = crc32(body);
  let checksum = '';
  while (checksum.length < 6) {
    checksum = BASE62[rest % 62] + checksum;
    rest = Math.floor(rest / 62);
  }
  return body + checksum;
}

/** The kinds of token that can be derived from a valid one. */
export function derivedTokens(token: string): Omit<Tokens, 'expired' | 'revoked'> {
  return {
    token,
    unknown: withChecksum(`plants_${'7'.repeat(43)}`),
    mistyped: token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'),
    digest: createHash('sha256').update(token).digest('hex'),
  };
}

/** A case's headers with its placeholders replaced. @param tokenOf the text of a kind */
export function headersOf(
  { headers }: Pick<ContractCase, 'headers'>,
  tokenOf: (kind: TokenKind) => string,
): [string, string][] {
  const replaced = (_: string, kind: string) => tokenOf(kind as TokenKind);
  return headers.map(([name, value]) => [name, value.replace(PLACEHOLDER, replaced)]);
}
