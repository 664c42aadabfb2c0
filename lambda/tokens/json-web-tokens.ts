import { type CryptoKey, errors, type JWTVerifyGetKey, type JWTVerifyResult, jwtVerify } from 'jose';
import { Failure } from '../errors.ts';
import type { Fault } from '../faults.ts';
import type { StoreCalls } from '../store/store.ts';
import type { TokenFinder } from './access-token-table.ts';
import {
  CLOCK_TOLERANCE_S,
  KEY_SET_INTERVAL_MS,
  KEY_SET_REFRESH_MS,
  MAX_JSON_WEB_TOKEN,
  MAX_KEY_SET_AGE_MS,
  NO_KEY_SET_MS,
} from './json-web-token-limits.ts';
import { fetchKeySet, type KeySet } from './key-set.ts';
import { isWithin, type Moment, moment } from './moment.ts';
import { type AcceptedTokens, clientOf, refused } from './token-claims.ts';
import { PREFIX } from './token-format.ts';

/** The identity provider whose JSON Web Tokens are accepted: the setting of the stage. */
export interface IdentityProvider extends AcceptedTokens {
  /** Its https address. The claim `iss`, too, unless its metadata has another one for that. */
  readonly issuer: string;
  /** False if its tokens are accepted in place of our own, not beside them. */
  readonly ownTokens?: false | undefined;
}

/**
 * Asymmetric only: with a shared secret, whoever can verify a token can make one. jose binds each to a type of key. `EdDSA` and
 * `Ed25519` are one algorithm (RFC 9864 §2.2), but not for jose.
 */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** How each base64url text of a JSON object begins: `{`, and two bits of what follows. */
const JSON_OBJECT = /^e[w-z\d_-]/;

/** How many bytes a signature has (RFC 7518 §3.4). With RSA, it has as many as the key; with any other key, 64. */
const ECDSA_BYTES: Readonly<Record<string, number>> = { 'P-384': 96, 'P-521': 132 };

/**
 * A signature is shorter than its key makes it: the token was cut, or the provider has a smaller key under this id now. No error of
 * jose's: a class that extends an imported one stays in the bundle of a stage without an identity provider.
 */
class ShortSignature extends Error {}

/** What is logged of errors that other keys may mend. */
const FAULTS_OF_KEYS: Readonly<Record<string, Fault>> = {
  ERR_JWKS_NO_MATCHING_KEY: 'unknown key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'same kid twice',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'wrong signature',
};

/** The same of the others that tell more than that the token is malformed. */
const FAULTS_OF_TOKENS: Readonly<Record<string, Fault>> = {
  ERR_JWT_EXPIRED: 'expired token',
  ERR_JOSE_ALG_NOT_ALLOWED: 'wrong alg',
  ERR_JOSE_NOT_SUPPORTED: 'unsupported header',
};

/** Verifies the JSON Web Tokens of an identity provider (RFC 7519), and leaves our own tokens to the table, if there is one. */
export class JsonWebTokens {
  readonly #provider: IdentityProvider;
  readonly #table: TokenFinder | undefined;
  /** The keys that were loaded last, and when. */
  #loaded: { readonly keys: KeySet; readonly at: Moment } | undefined;
  /** The latest attempt to load the keys, and for how long there is no other. */
  #latest: { readonly keys: Promise<KeySet>; readonly at: Moment; pause: number } | undefined;

  constructor(provider: IdentityProvider, table: TokenFinder | undefined) {
    this.#provider = provider;
    this.#table = table;
  }

  /**
   * Finds the name of a token.
   * @returns the client, as the provider names it
   * @throws Failure 40102 if the token is not valid, 50301 if the provider's keys cannot be loaded, or what the table throws
   */
  async find(token: string, calls: StoreCalls): Promise<string> {
    if (this.#table && token.startsWith(PREFIX)) return this.#table.find(token, calls);
    if (!JSON_OBJECT.test(token)) throw refused('opaque token');
    const parts = token.split('.').length;
    // RFC 7516 §3.1.
    if (parts === 5) throw refused('encrypted token');
    if (parts < 3) throw refused('cut token');
    if (token.length > MAX_JSON_WEB_TOKEN) throw refused('oversized token');
    const { protectedHeader, payload } = await this.#verify(token, calls.signal).catch((error) => {
      throw refusalOf(error);
    });
    return clientOf(protectedHeader, payload, this.#provider);
  }

  /** If a token does not fit the keys, the provider may have new ones, also under a known id. */
  async #verify(token: string, signal: AbortSignal): Promise<JWTVerifyResult> {
    const loaded = this.#loaded;
    const isUsable = loaded && isWithin(MAX_KEY_SET_AGE_MS, loaded.at);
    if (isUsable && !isWithin(KEY_SET_REFRESH_MS, loaded.at)) this.#refresh();
    const known = isUsable ? loaded.keys : await this.#load(signal);
    return verify(token, known).catch(async (error) => {
      if (!isOfKeys(error)) throw error;
      const latest = await this.#load(signal);
      if (latest === known) throw error;
      return verify(token, latest);
    });
  }

  /**
   * Loads the keys for later requests. The process may freeze before it has them; then the next request loads them, or they become too
   * old. After an attempt that failed, not at once again: most processes would ask a provider that is down.
   */
  #refresh(): void {
    if (this.#latest && isWithin(KEY_SET_INTERVAL_MS, this.#latest.at)) return;
    void this.#load(new AbortController().signal).catch(() => undefined);
  }

  /** Loads the keys, or returns the result of the latest attempt if that is too recent. */
  #load(signal: AbortSignal): Promise<KeySet> {
    if (this.#latest && isWithin(this.#latest.pause, this.#latest.at)) return this.#latest.keys;
    const at = moment();
    const keys = fetchKeySet(this.#provider.issuer, signal);
    const attempt = { keys, at, pause: NO_KEY_SET_MS };
    this.#latest = attempt;
    const onLoaded = (loaded: KeySet) => {
      this.#loaded = { keys: loaded, at };
      attempt.pause = KEY_SET_INTERVAL_MS;
    };
    keys.then(onLoaded, () => undefined);
    return keys;
  }
}

/** Verifies a token with some keys. @throws Failure or JOSEError; any other error comes from a key that cannot be used */
function verify(token: string, { find, issuer }: KeySet): Promise<JWTVerifyResult> {
  const findKey: JWTVerifyGetKey = async (header, jws) => {
    const key = await find(header, jws).catch((error) => {
      if (error instanceof errors.JWKSMultipleMatchingKeys && header.kid === undefined)
        throw refused('no kid');
      throw error;
    });
    checkSignature(jws.signature, key);
    return key;
  };
  return jwtVerify(token, findKey, {
    algorithms: ALGORITHMS,
    issuer,
    requiredClaims: ['exp'],
    clockTolerance: CLOCK_TOLERANCE_S,
  });
}

/**
 * Checks the text of a signature, which jose does not: with its unused bits, several texts would be one token, and a mistyped
 * one valid (RFC 4648 §3.5).
 * @throws ShortSignature, or Failure 40102
 */
function checkSignature(text: string, { algorithm }: CryptoKey): void {
  const signature = Buffer.from(text, 'base64url');
  const { modulusLength = 512, namedCurve = '' } = algorithm as {
    modulusLength?: number;
    namedCurve?: string;
  };
  if (signature.length < (ECDSA_BYTES[namedCurve] ?? modulusLength / 8)) throw new ShortSignature();
  if (signature.toString('base64url') !== text) throw refused('malformed token');
}

/** The claims that jose checks. */
type Claim = 'iss' | 'exp' | 'nbf' | 'iat';

/** Whether other keys may verify the token. A key that cannot be used is one of 1,024 bits, for example. */
function isOfKeys(error: unknown): boolean {
  if (error instanceof errors.JOSEError) return error.code in FAULTS_OF_KEYS;
  return !(error instanceof Failure);
}

function refusalOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ShortSignature) return refused('cut token');
  if (!(error instanceof errors.JOSEError)) return refused('unusable key');
  if (error instanceof errors.JWTClaimValidationFailed) return refused(`wrong ${error.claim as Claim}`);
  return refused(FAULTS_OF_KEYS[error.code] ?? FAULTS_OF_TOKENS[error.code] ?? 'malformed token');
}
