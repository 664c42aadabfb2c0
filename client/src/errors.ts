/**
 * An error number that this version of the contract names; the package's README has the table. A test compares them with
 * the service's own.
 */
export type PublishedErrorNumber =
  | 40000
  | 40001
  | 40002
  | 40101
  | 40102
  | 40301
  | 40401
  | 40901
  | 41301
  | 41501
  | 42901
  | 50001
  | 50301
  | 50401;

declare const unpublished: unique symbol;

/**
 * A number that a later version of the service has added. Its first three digits are the HTTP status that it would have:
 * see {@link PlantStoreError.status}. TypeScript cannot say "any other number", so a literal that is no error's stands for
 * it: with `number` here, the compiler would let a mistyped `case` pass.
 */
export type UnknownErrorNumber = -1 & { readonly [unpublished]: true };

export type ErrorNumber = PublishedErrorNumber | UnknownErrorNumber;

/**
 * Seconds after which the same request is worth sending again, by the first three digits of the error number, which is
 * also how an unknown number is treated. A repeat cannot help the others.
 */
const RETRY_AFTER: Readonly<Record<number, number>> = { 429: 1, 503: 2, 504: 2 };

/** The HTTP status that an error number stands for: its first three digits. */
export function statusOf(error: number): number {
  return Math.floor(error / 100);
}

/** Seconds after which a request that ended in this error is worth sending again; undefined if a repeat cannot help. */
export function retryAfterOf(error: number): number | undefined {
  return RETRY_AFTER[statusOf(error)];
}

/** What is known of a request that failed. */
export interface Failure {
  readonly error: number;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A request failed: the service or something in front of it refused it, or no readable answer came. */
export class PlantStoreError extends Error {
  override readonly name = 'PlantStoreError';
  /** What went wrong. Switch on this, never on `message`. */
  readonly error: ErrorNumber;
  /** What HTTP would have said: the first three digits of `error`. For numbers that this version does not know. */
  readonly status: number;
  /** The request's id in the operator's log; undefined if the answer did not come from the service. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request is worth sending again; undefined if a repeat cannot help. */
  readonly retryAfter: number | undefined;
  /** Whether the plant may be in the store all the same: for this attempt or one before it no readable answer came. */
  readonly mayBeStored: boolean;

  constructor({ error, message, requestId, retryAfter, cause }: Failure, mayBeStored: boolean) {
    super(message, cause === undefined ? undefined : { cause });
    this.error = error as ErrorNumber;
    this.status = statusOf(error);
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.mayBeStored = mayBeStored;
  }
}
