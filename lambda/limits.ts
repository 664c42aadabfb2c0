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

/** The most attempts that one call to the store makes. */
export const STORE_ATTEMPTS = 3;

/** The time limit for connecting to the store, including TLS, in milliseconds. */
export const CONNECT_MS = 500;

/** The time limit for one attempt, including connecting and the whole response, in milliseconds. */
export const ATTEMPT_MS = 900;

/** The longest pause before another attempt, in milliseconds. */
export const MAX_PAUSE_MS = 200;

/** The same after a throttle, which lasts longer (docs/decisions.md, 12). */
export const MAX_THROTTLE_PAUSE_MS = 600;

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
