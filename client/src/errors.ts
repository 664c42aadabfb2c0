/**
 * An error number of this version of the contract; a later version of the service may add some. A test compares them with the
 * service's own.
 * - `40000` API Gateway refused it, or a proxy: check URL, method and headers.
 * - `40001` The body is not valid JSON.
 * - `40002` The plant is not valid; the message names the property.
 * - `40101` There is no access token.
 * - `40102` The access token is wrong, revoked or expired: ask the operator for a new one.
 * - `40301` A firewall refused the request.
 * - `40401` There is no such operation: check `baseUrl`.
 * - `40901` The id belongs to a different plant; nothing was overwritten.
 * - `41301` The plant is over 400 KB, or the body over 1 MiB.
 * - `41501` The body is not sent as JSON.
 * - `42901` Too many requests. Retried.
 * - `50001` A fault in the service: send its operator the `requestId`.
 * - `50301` The store or the service cannot be reached; this attempt stored nothing. Retried.
 * - `50401` No usable response; the plant may have been stored. Retried.
 */
// biome-ignore format: one line each would say nothing more.
export type PublishedErrorNumber =
  | 40000 | 40001 | 40002 | 40101 | 40102 | 40301 | 40401 | 40901 | 41301
  | 41501 | 42901 | 50001 | 50301 | 50401;

/** Seconds to wait before a retry, by the HTTP status of an error: so the table has numbers of later versions, too. */
const RETRY_AFTER: Readonly<Record<number, number>> = { 429: 1, 503: 2, 504: 2 };

/** Seconds to wait before retrying a request that failed with this error; undefined if a retry cannot help. */
export function retryAfterOf(error: number): number | undefined {
  return RETRY_AFTER[Math.floor(error / 100)];
}

/** What is known of a failed request. */
export interface FailureDetails {
  readonly error: number;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/**
 * A failed request: the service, a proxy or AWS refused it, or no usable response came.
 * @example
 * ```ts
 * try {
 *   await plants.createPlant(plant);
 * } catch (error) {
 *   if (!(error instanceof PlantStoreError && error.mayBeStored)) throw error;
 *   // Sending the same plant again is safe, and says whether it is stored.
 *   await plants.createPlant(plant, { timeoutMs: 60_000 });
 * }
 * ```
 */
export class PlantStoreError extends Error {
  override readonly name = 'PlantStoreError';
  /** What went wrong: a {@link PublishedErrorNumber}, or one of a later version. Switch on this, never on `message`. */
  readonly error: PublishedErrorNumber | (number & {});
  /** The HTTP status of the error: the first three digits of `error`. Use it for numbers unknown to this version. */
  readonly status: number;
  /** The request's id in the operator's log; undefined if the response did not come from the service. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry; undefined if a retry cannot help. */
  readonly retryAfter: number | undefined;
  /** Whether the plant may have been stored: this attempt or an earlier one ended in 50401. Never with 40901. */
  readonly mayBeStored: boolean;

  constructor({ error, message, requestId, retryAfter, cause }: FailureDetails, mayBeStored: boolean) {
    super(message, cause === undefined ? undefined : { cause });
    this.error = error;
    this.status = Math.floor(error / 100);
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.mayBeStored = mayBeStored;
  }
}
