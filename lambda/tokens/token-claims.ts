import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { Failure } from '../errors.ts';
import type { Fault } from '../faults.ts';
import { MAX_CLIENT_NAME } from './json-web-token-limits.ts';

/** Which tokens of an identity provider are accepted. */
export interface AcceptedTokens {
  readonly audience: string | readonly string[];
  readonly scope?: string | undefined;
  /** The only `typ` of the header (RFC 9068 §4); absent: also that of any JWT. */
  readonly tokenType?: 'at+jwt' | undefined;
  /** The claim that names the client in the log, or the path to it, from the outside in. */
  readonly nameClaim?: string | readonly string[] | undefined;
  /** The only names that are accepted. */
  readonly allowedClients?: readonly string[] | undefined;
}

/** An access token's media type, with or without its first part (RFC 9068 §2.1). */
const ACCESS_TOKEN = ['at+jwt', 'application/at+jwt'];

/**
 * Only ID tokens (OpenID Connect Core 1.0 §3.1.3.6 and §3.3.2.11; FAPI 1.0 part 2, §5.1.1) and security events, such as
 * logout tokens (RFC 8417 §2.2), have these claims.
 */
const NO_ACCESS_TOKEN = ['at_hash', 'c_hash', 's_hash', 'nonce', 'events'];

/** As a client id (RFC 6749 §A.1): a log must not be written by a token. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/** The refusal of a token: 40102, whatever the cause, which only the log has. */
export function refused(fault: Fault): Failure {
  return new Failure('INVALID_TOKEN', { fault });
}

/**
 * Checks the type and the claims of a token whose signature, issuer and times are valid. Each may have any JSON type: only texts,
 * and lists of texts, count.
 * @returns the name of the client
 * @throws Failure 40102 if the token is none for this service
 */
export function clientOf(header: JWTHeaderParameters, claims: JWTPayload, accepted: AcceptedTokens): string {
  const { audience, scope, tokenType, nameClaim, allowedClients } = accepted;
  // Whoever stole it has no key for it, which only DPoP or mutual TLS would show (RFC 9449 §7.1, RFC 8705 §3).
  if (claims.cnf !== undefined) throw refused('bound token');
  const [{ typ = 'jwt' }, { typ: kind = 'bearer' }] = [header, claims];
  const isAccessToken =
    // Cognito and Okta give none. Not another kind's (RFC 8725 §3.11).
    isOneOf(tokenType ? ACCESS_TOKEN : ['jwt', ...ACCESS_TOKEN], typ) &&
    // Keycloak has the kind as a claim, too; that of an ID token is `ID`.
    isOneOf(['bearer', 'jwt', ...ACCESS_TOKEN], kind) &&
    !NO_ACCESS_TOKEN.some((claim) => Object.hasOwn(claims, claim));
  if (!isAccessToken) throw refused('wrong typ');
  // Cognito's access tokens have only the client's id, and its ID tokens are for apps.
  const { token_use, aud = claims.client_id } = claims;
  if (token_use !== undefined && token_use !== 'access') throw refused('wrong token_use');
  if (![aud].flat().some((each) => [audience].flat().includes(each as string))) throw refused('wrong aud');
  if (scope !== undefined && !scopesOf(claims).includes(scope)) throw refused('wrong scope');
  const name = nameIn(claims, nameClaim);
  if (typeof name !== 'string' || name === '') throw refused('no name');
  if (name.length > MAX_CLIENT_NAME) throw refused('long name');
  if (!PRINTABLE_ASCII.test(name)) throw refused('non-ASCII name');
  if (allowedClients && !allowedClients.includes(name)) throw refused('wrong client');
  return name;
}

function isOneOf(types: readonly string[], type: unknown): boolean {
  return typeof type === 'string' && types.includes(type.toLowerCase());
}

/** Okta and Entra have `scp`, and Entra has `roles` where the client is no user's. A role may have spaces, a scope cannot. */
function scopesOf({ scope, scp, roles }: JWTPayload): unknown[] {
  return [scope, scp, roles].flatMap((each) => (typeof each === 'string' ? each.split(' ') : each));
}

function nameIn(claims: JWTPayload, nameClaim: AcceptedTokens['nameClaim']): unknown {
  if (nameClaim === undefined) return claims.client_id ?? claims.azp ?? claims.sub;
  // Only own properties: any object has `toString`.
  const inside = (value: unknown, claim: string) =>
    Object.getOwnPropertyDescriptor(Object(value), claim)?.value;
  return [nameClaim].flat().reduce(inside, claims);
}
