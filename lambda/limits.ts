/** The largest request body, in bytes: 1 MiB. Published as 41301. */
export const MAX_BODY_BYTES = 1_048_576;

/** The largest DynamoDB item, in bytes, attribute names included: 400 KB (DynamoDB quotas, "Item size"). */
export const MAX_ITEM_BYTES = 409_600;

/** How deep arrays and objects may nest in a body, the body's own object included. Published as 40001. */
export const MAX_JSON_DEPTH = 1_000;

/** The longest accepted number literal, in characters. No int64 needs a longer one. */
export const MAX_NUMBER_CHARACTERS = 128;

/** How long a found access token is remembered, in milliseconds. A revoked one works for at most this long. */
export const TOKEN_CACHE_MS = 60_000;

/** How many found access tokens are remembered. */
export const TOKEN_CACHE_SIZE = 1_000;

/** The longest JSON Web Token, in characters. The gateway takes 10,240 bytes of headers. */
export const MAX_JSON_WEB_TOKEN = 8_192;

/** How far the clocks of this machine and of the identity provider may differ, in seconds. */
export const CLOCK_TOLERANCE_S = 60;

/** The longest name of a client in one, in characters. A Kubernetes service account or a role of AWS may have over 128. */
export const MAX_CLIENT_NAME = 256;

/**
 * For how long an identity provider's keys are not loaded again, in milliseconds: a token that fits none of them, which anybody can
 * send, must not cost the provider two requests each time.
 */
export const KEY_SET_INTERVAL_MS = 30_000;

/** How old an identity provider's keys are when a request has them loaded again, and does not wait for that, in milliseconds. */
export const KEY_SET_REFRESH_MS = 300_000;

/**
 * How old they may be, in milliseconds: for how long a key that the provider has taken back is accepted, and for how long an outage
 * of the provider keeps nobody out.
 */
export const MAX_KEY_SET_AGE_MS = 3_600_000;

/** How long the keys are not asked for again after an attempt that failed: longer than one takes, and not longer than clients wait before they retry. */
export const NO_KEY_SET_MS = 2_000;

/** The largest key set, in bytes. Those of Entra ID, with a certificate for each key, have about 20 KB. */
export const MAX_KEY_SET_BYTES = 262_144;

/** The most attempts that one call to the store makes. */
export const STORE_ATTEMPTS = 3;

/** The time limit for connecting to the store, including TLS, in milliseconds. */
export const CONNECT_MS = 500;

/** The time limit for one attempt, including connecting and the whole response, in milliseconds. */
export const ATTEMPT_MS = 900;

/** The longest pause before another attempt, in milliseconds. */
export const MAX_BACKOFF_MS = 200;

/** The time budget for all store calls of one request, in milliseconds. */
export const STORE_BUDGET_MS = 3_500;

/**
 * The store's budget ends at least this long before the Lambda timeout, in milliseconds, by the time that Lambda says is left when
 * the request is read.
 */
export const STORE_BUDGET_RESERVE_MS = 1_500;

/**
 * The early response is given this long before the Lambda timeout, in milliseconds, by the time that Lambda says is left when middy
 * starts the handler (@middy/core, `timeoutEarlyInMillis`).
 */
export const EARLY_RESPONSE_RESERVE_MS = 500;

/** The timeout of the Lambda function, in milliseconds. */
export const LAMBDA_TIMEOUT_MS = 6_000;

/** The timeout of the gateway's integration, in milliseconds (API Gateway's default and usual maximum). */
export const GATEWAY_TIMEOUT_MS = 29_000;
