import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ContractCase, TokenKind } from './contract-case.ts';

/** The text that replaces each placeholder. */
export type Tokens = Record<TokenKind, string>;

const PLACEHOLDER = /\{(\w+)\}/g;
/** The digits of Base62, lowest first. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Thrown by a check that cannot test its rule; the message says why. */
export class NotJudged extends Error {
  override readonly name = 'NotJudged';
}

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

/**
 * A case's headers with its placeholders replaced.
 * @throws NotJudged if a token that the case needs is missing
 */
export function headersOf(
  { headers }: Pick<ContractCase, 'headers'>,
  tokens: Partial<Tokens>,
): [string, string][] {
  const replaced = (_: string, kind: string) => {
    const token = tokens[kind as TokenKind];
    if (token === undefined) throw new NotJudged(`this run has no ${kind} token`);
    return token;
  };
  return headers.map(([name, value]) => [name, value.replace(PLACEHOLDER, replaced)]);
}
