/** What one published error number means, to a client and to an operator. */
export interface PublishedError {
  /** The published number: HTTP status × 100 + detail. Never reused. */
  readonly error: number;
  /** When a client gets it, as the documents say. */
  readonly when: string;
  /** One sentence that says what to do. Clients switch on `error`, never on this. */
  readonly message: string;
  /** Whole seconds after which to send the same request again; absent if a repeat cannot help. */
  readonly retryAfter?: number;
  /** The `WWW-Authenticate` header of the response (RFC 6750 §3). API Gateway renames the header. */
  readonly challenge?: string;
}

/**
 * Every error number that a client can receive, from the function, from the gateway in front of it or from the local
 * stand-in. Numbers and messages are defined only here: the gateway's responses are made from this table, and
 * openapi.yaml, the READMEs and the client are tested against it.
 */
export const ERRORS = {
  REFUSED_BY_GATEWAY: {
    error: 40000,
    when: 'the gateway refused the request before the service saw it',
    message: 'The request was refused before it reached the service; check its address, method and headers.',
  },
  INVALID_JSON: {
    error: 40001,
    when: 'the body is not one UTF-8 JSON text, is nested too deep, or gives a property twice with different values',
    message:
      'The body must be one JSON text in UTF-8, without a byte order mark, and must not give a property different values.',
  },
  INVALID_PLANT: {
    error: 40002,
    when: 'the body is JSON, but not a NewPlant; the message names the property and what it must be',
    message: 'The body must be a JSON object with an id, a name and optionally a tag.',
  },
  NO_TOKEN: {
    error: 40101,
    when: 'there is no bearer token',
    message: 'Send an access token in the Authorization header, as the word Bearer, a space and the token.',
    challenge: 'Bearer realm="plant-store"',
  },
  INVALID_TOKEN: {
    error: 40102,
    when: 'the bearer token is malformed, unknown, revoked or expired',
    message: 'The access token is not valid; check it for typos or ask the operator for a new one.',
    challenge: 'Bearer realm="plant-store", error="invalid_token"',
  },
  REFUSED_BY_FIREWALL: {
    error: 40301,
    when: 'a web application firewall, where one is attached, refused the request',
    message: 'The firewall refused the request; slow down, and ask the operator if this continues.',
  },
  NO_SUCH_OPERATION: {
    error: 40401,
    when: 'there is no such operation: another method or path',
    message: 'There is no such operation; the only one is POST /plants.',
  },
  ID_TAKEN: {
    error: 40901,
    when: 'the id belongs to a different plant; nothing was overwritten',
    message: 'The id belongs to a different plant; choose another id.',
  },
  TOO_LARGE: {
    error: 41301,
    when: 'the body is over 1 MiB, or the plant is over the 400 KB of a DynamoDB item',
    message: 'The body must be at most 1 MiB, and the plant at most about 400 KB.',
  },
  NOT_JSON: {
    error: 41501,
    when: 'the Content-Type is present and not JSON, or the body has a content coding',
    message: 'Send the body as application/json, without a content coding such as gzip.',
  },
  TOO_MANY_REQUESTS: {
    error: 42901,
    when: 'too many requests: the gateway or the table is throttling',
    message: 'There are too many requests right now; send the same request again after a second.',
    retryAfter: 1,
  },
  SERVICE_FAULT: {
    error: 50001,
    when: 'a fault in the service, which its operators must fix',
    message:
      'The service has a fault that its operators must fix; tell them the x-request-id of this response.',
  },
  UNAVAILABLE: {
    error: 50301,
    when: 'a table cannot be reached or does not respond; nothing was stored',
    message:
      'The service is not available right now and nothing was stored; send the same request again shortly.',
    retryAfter: 2,
  },
  NO_RESPONSE: {
    error: 50401,
    when: 'there was no readable response in time; the plant may be stored, and the same request is safe',
    message: 'No response came in time and the plant may be stored; sending the same request again is safe.',
    retryAfter: 2,
  },
} as const satisfies Record<string, PublishedError>;

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
  /** The cause, as a short name for the log; never sent to the client. */
  readonly fault: string | undefined;
  /** The error, if it is a bug: its location belongs in the log. */
  readonly cause: unknown;

  /**
   * @param name which published error the client gets
   * @param options.message a more exact sentence than the table's: under 200 characters, quoting nothing of the request
   * @param options.fault the cause's name for the log, such as `AccessDeniedException`
   * @param options.cause the error, if it is a bug
   */
  constructor(name: ErrorName, options: { message?: string; fault?: string; cause?: unknown } = {}) {
    this.published = ERRORS[name];
    this.message = options.message ?? this.published.message;
    this.fault = options.fault;
    this.cause = options.cause;
  }
}
