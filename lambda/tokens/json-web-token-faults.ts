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

/** Why a JSON Web Token is refused, or cannot be verified. */
export const JSON_WEB_TOKEN_FAULTS = [
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
  ...NO_KEY_SET.map((reason) => `no key set: ${reason}` as const),
] as const;

export type NoKeySet = (typeof NO_KEY_SET)[number];
