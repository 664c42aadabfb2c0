import { type PublishedErrorNumber, RETRY_AFTER } from './published-errors.ts';

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
  /** Whether the plant may have been stored: this attempt or an earlier one ended in 50401, and the error does not say that it was not. */
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
