import { formatToken } from '../lambda/request/token-format.ts';
import { tokenDigest } from '../lambda/store/access-token-table.ts';
import type { ContractCase, PLACEHOLDERS } from './cases.ts';

/** What stands in a case's headers for a token of some kind. */
export type TokenKind = (typeof PLACEHOLDERS)[number];

/** A text to put in place of each placeholder of a case. */
export type Tokens = Record<TokenKind, string>;

/** The kinds that whoever has one valid token can make of it. */
export function derivedTokens(token: string): Omit<Tokens, 'expired' | 'revoked'> {
  return {
    token,
    unknown: formatToken(new Uint8Array(32).fill(7)),
    mistyped: token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'),
    digest: tokenDigest(token),
  };
}

/** The kinds of token that a case's headers ask for. */
export function tokenKindsOf({ headers }: Pick<ContractCase, 'headers'>): TokenKind[] {
  return headers.flatMap(([, value]) =>
    [...value.matchAll(PLACEHOLDER)].map(([, kind]) => kind as TokenKind),
  );
}

/**
 * A case's headers with its placeholders replaced.
 * @throws Error when a kind of token is missing that the case asks for
 */
export function headersOf(
  { headers }: Pick<ContractCase, 'headers'>,
  tokens: Partial<Tokens>,
): [string, string][] {
  const replaced = (_: string, kind: string) => {
    const token = tokens[kind as TokenKind];
    if (token === undefined) throw new Error(`There is no ${kind} token.`);
    return token;
  };
  return headers.map(([name, value]) => [name, value.replace(PLACEHOLDER, replaced)]);
}

const PLACEHOLDER = /\{(\w+)\}/g;
