/** The largest request body, in bytes: 1 MiB. Published as 41301. */
export const MAX_BODY_BYTES = 1_048_576;

/** The largest DynamoDB item, in bytes, attribute names included: 400 KB (DynamoDB quotas, "Item size"). */
export const MAX_ITEM_BYTES = 409_600;

/** How deep arrays and objects may nest in a body, the body's own object included. Published as 40001. */
export const MAX_JSON_DEPTH = 1_000;

/** The longest id literal, in characters, that is looked at; a longer one cannot be needed for an int64. */
export const MAX_ID_CHARACTERS = 128;

/** How long a found access token is remembered, in milliseconds: a revoked one stops within this time. */
export const TOKEN_CACHE_MS = 60_000;

/** How many found access tokens are remembered. */
export const TOKEN_CACHE_SIZE = 1_000;

/** How often one call to the store is attempted. */
export const STORE_ATTEMPTS = 3;

/** How long an attempt waits for a connection to the store, TLS included, in milliseconds. */
export const CONNECT_MS = 500;

/** How long an attempt waits for the whole answer of the store, connecting included, in milliseconds. */
export const ATTEMPT_MS = 900;

/** The longest pause before another attempt, in milliseconds. */
export const MAX_BACKOFF_MS = 200;

/** How long all calls of one request to the store may take together, in milliseconds. */
export const STORE_BUDGET_MS = 3_500;

/** What is left of the Lambda time-out when the store's budget must end, in milliseconds. */
export const STORE_BUDGET_RESERVE_MS = 1_500;

/** What is left of the Lambda time-out when an answer is given, whatever is still under way, in milliseconds. */
export const EARLY_ANSWER_RESERVE_MS = 500;

/** The time-out of the Lambda function, in milliseconds. */
export const LAMBDA_TIMEOUT_MS = 6_000;

/** The time-out of the gateway's integration, in milliseconds (API Gateway's default and usual maximum). */
export const GATEWAY_TIMEOUT_MS = 29_000;
