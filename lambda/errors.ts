import type { Fault, ForeignName } from './faults.ts';
import { ERRORS } from './published-errors.ts';

/** What a client gets with one published error number. */
export interface PublishedError {
  /** The published number: HTTP status × 100 + detail. Never reused. */
  readonly error: number;
  /** One sentence that says what to do. Clients switch on `error`, never on this. */
  readonly message: string;
  /** Whole seconds to wait before a retry; absent if a retry cannot help. */
  readonly retryAfter?: number;
  /** The `WWW-Authenticate` header of the response (RFC 6750 §3). API Gateway renames the header. */
  readonly challenge?: string;
}

/** The name of a published error in the code. */
export type ErrorName = keyof typeof ERRORS;

/**
 * Thrown by a step to end a request with one of the published errors. Not an Error: a refusal's stack trace is not used,
 * and collecting it takes a fifth of the refusal's CPU time.
 */
export class Failure {
  readonly published: PublishedError;
  /** The sentence for the client. */
  readonly message: string;
  /** The cause, for the log; never sent to the client. */
  readonly fault: Fault | ForeignName | undefined;
  /** The error, if it is a bug: its location belongs in the log. */
  readonly cause: unknown;

  /**
   * @param name which published error the client gets
   * @param options.message a more exact sentence than the table's: under 200 characters, quoting nothing of the request
   * @param options.fault the cause, for the log
   * @param options.cause the error, if it is a bug
   */
  constructor(
    name: ErrorName,
    options: { message?: string; fault?: Fault | ForeignName; cause?: unknown } = {},
  ) {
    this.published = ERRORS[name];
    this.message = options.message ?? this.published.message;
    this.fault = options.fault;
    this.cause = options.cause;
  }
}
