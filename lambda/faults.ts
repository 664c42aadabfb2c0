/** Why an identity provider's keys cannot be loaded. */
const NO_KEY_SET = [
  'deadline',
  'no jwks_uri',
  'no keys',
  'not JSON',
  'not https',
  'other issuer',
  'timeout',
  'too large',
] as const;

/**
 * Our names for causes, for the log; docs/runbook-alarms.md explains each. Other values of `fault` are the names of others: a
 * {@link ForeignName}.
 */
export const FAULTS = [
  // Of our tokens.
  'malformed token',
  'unknown token',
  'expired token',
  // Of an identity provider's tokens.
  'bound token',
  'cut token',
  'encrypted token',
  'opaque token',
  'oversized token',
  'unsupported header',
  'wrong alg',
  'wrong typ',
  'wrong token_use',
  'wrong iss',
  'wrong aud',
  'wrong exp',
  'wrong nbf',
  'wrong iat',
  'wrong scope',
  'wrong client',
  'no name',
  'long name',
  'non-ASCII name',
  'no kid',
  'same kid twice',
  'unknown key',
  'unusable key',
  'wrong signature',
  // Of the store.
  'connect timeout',
  'timeout',
  'deadline',
  'damaged response',
  'foreign response',
  // Of the function's own time.
  'early response',
  ...NO_KEY_SET.map((reason) => `no key set: ${reason}` as const),
] as const;

/** One of them. */
export type Fault = (typeof FAULTS)[number];
export type NoKeySet = (typeof NO_KEY_SET)[number];

/** The name of an error of Node, of a library or of AWS, such as `AccessDeniedException`: a text, marked for the compiler only. */
export type ForeignName = string & { readonly isForeign: true };
