import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { Failure } from '../errors.ts';
import { CLOCK_TOLERANCE_S, KEY_SET_MS, MAX_JSON_WEB_TOKEN, NO_KEY_SET_MS } from '../limits.ts';
import type { AccessTokenTable } from './access-token-table.ts';
import { fetchKeySet, type KeySet } from './key-set.ts';

/** The identity provider whose JSON Web Tokens are accepted: the setting of the stage. */
export interface IdentityProvider {
  /** The claim `iss`, and its https address. */
  readonly issuer: string;
  readonly audience: string | readonly string[];
  readonly scope?: string | undefined;
  /** The claim that names the client in the log. */
  readonly nameClaim?: string | undefined;
}

/** Asymmetric only: with a shared secret, whoever can verify a token can make one. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** An access token's media type (RFC 9068 §2.1), or that of any JWT; Cognito and Okta give none. Not another kind's (RFC 8725 §3.11). */
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];

/** Client ids of 1 to 128 printable ASCII characters (RFC 6749 §A.1): a log must not be written by a token. */
const NAME = /^[ -~]{1,128}$/;

/** What is logged of jose's errors; of all others, that the token is malformed. */
const FAULTS: Record<string, string> = {
  ERR_JWT_EXPIRED: 'expired token',
  ERR_JWKS_NO_MATCHING_KEY: 'unknown key',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'wrong signature',
  ERR_JOSE_ALG_NOT_ALLOWED: 'wrong alg',
};

/** Verifies the JSON Web Tokens of an identity provider (RFC 7519), and leaves all other tokens to the table. */
export class JsonWebTokens {
  readonly #provider: IdentityProvider;
  readonly #table: Pick<AccessTokenTable, 'find'>;
  #keys: KeySet | undefined;
  /** The latest attempt to load the keys, and until when there is no other. */
  #latest: { readonly keys: Promise<KeySet>; until: number } | undefined;

  constructor(provider: IdentityProvider, table: Pick<AccessTokenTable, 'find'>) {
    this.#provider = provider;
    this.#table = table;
  }

  /**
   * Finds the name of a token. A JSON Web Token has three parts with dots between them, and ours have no dot.
   * @returns the client, as the provider names it
   * @throws Failure 40102 if the token is not valid, 50301 if the provider's keys cannot be loaded, or what the table throws
   */
  async find(token: string, signal: AbortSignal): Promise<string> {
    const parts = token.split('.');
    if (parts.length !== 3) return this.#table.find(token, signal);
    if (token.length > MAX_JSON_WEB_TOKEN || !parts.every(isCanonical)) throw refused('malformed token');
    const { issuer } = this.#provider;
    const { payload, protectedHeader } = await jwtVerify(token, this.#keyFinder(signal), {
      algorithms: ALGORITHMS,
      issuer,
      requiredClaims: ['exp'],
      clockTolerance: CLOCK_TOLERANCE_S,
    }).catch((error) => {
      throw error instanceof Failure ? error : refusalOf(error);
    });
    const { typ = 'jwt' } = protectedHeader;
    if (!TYPES.includes(String(typ).toLowerCase())) throw refused('wrong typ');
    return nameIn(payload, this.#provider);
  }

  /** If no key has the id of the token, the provider may have a new one. */
  #keyFinder(signal: AbortSignal): JWTVerifyGetKey {
    return async (header, jws) => {
      const keys = this.#keys ?? (await this.#load(signal));
      return keys(header, jws).catch(async (error) => {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        return (await this.#load(signal))(header, jws);
      });
    };
  }

  /** Loads the keys, or returns the result of the latest attempt if that is too recent. */
  #load(signal: AbortSignal): Promise<KeySet> {
    const now = Date.now();
    if (this.#latest && now < this.#latest.until) return this.#latest.keys;
    const keys = fetchKeySet(this.#provider.issuer, signal);
    const attempt = { keys, until: now + NO_KEY_SET_MS };
    this.#latest = attempt;
    const onLoaded = (loaded: KeySet) => {
      this.#keys = loaded;
      attempt.until = now + KEY_SET_MS;
    };
    keys.then(onLoaded, () => undefined);
    return keys;
  }
}

/** Whether a part has no unused bits: otherwise several texts would be one token, and a mistyped one valid (RFC 4648 §3.5). */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

/** Checks the claims that jose does not, and reads the client's name. @throws Failure 40102 */
function nameIn(claims: JWTPayload, { audience, scope, nameClaim }: IdentityProvider): string {
  // Cognito's access tokens have only the client's id, and its ID tokens are for apps.
  const { token_use, aud = claims.client_id } = claims;
  if (token_use !== undefined && token_use !== 'access') throw refused('wrong token_use');
  if (![aud].flat().some((each) => [audience].flat().includes(each as string))) throw refused('wrong aud');
  // Okta and Entra have `scp`, and Entra has `roles` where the client is no user's.
  const scopes = [claims.scope, claims.scp, claims.roles].flat().join(' ').split(' ');
  if (scope !== undefined && !scopes.includes(scope)) throw refused('wrong scope');
  const name = nameClaim === undefined ? (claims.client_id ?? claims.azp ?? claims.sub) : claims[nameClaim];
  if (typeof name !== 'string' || !NAME.test(name)) throw refused('wrong name');
  return name;
}

function refused(fault: string): Failure {
  return new Failure('INVALID_TOKEN', { fault });
}

/** Anything else than jose's errors comes from a key that cannot be used, such as an RSA key of 1,024 bits. */
function refusalOf(error: unknown): Failure {
  if (!(error instanceof errors.JOSEError)) return refused('unusable key');
  if (error instanceof errors.JWTClaimValidationFailed) return refused(`wrong ${error.claim}`);
  return refused(FAULTS[error.code] ?? 'malformed token');
}
