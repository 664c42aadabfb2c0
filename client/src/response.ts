import { type FailureDetails, retryAfterOf } from './errors.ts';
import { parseExact } from './json.ts';

/** What is read of a response. The global `Response` has it, and so have those of other implementations. */
export interface FetchedResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A request to the service. */
export interface Call<Result> {
  readonly method: string;
  /** The path after the base URL. */
  readonly path: string;
  readonly body: string;
  /** Reads the JSON of a 200. @returns undefined if it is not the response of the service to this request */
  readonly resultOf: (content: Readonly<Record<string, unknown>>) => Result | undefined;
  /** Whether it may store a plant, so that after a lost response one may be stored. */
  readonly mayStore: boolean;
  /** What is said of the plant after a lost response, as in "the plant may have been stored". */
  readonly ifLost: string;
}

/** The result of one attempt. */
export type AttemptResult<Result> =
  | { readonly result: Result }
  | {
      readonly failure: FailureDetails;
      /** The least number of seconds to wait before the next attempt. */
      readonly pause: number;
    };

/**
 * Reads a response. One that does not conform to the contract came from a proxy or from AWS, or from a version of the service that
 * stores fewer properties; its status is mapped to a published number.
 */
export function readResponse<Result>(
  resultOf: Call<Result>['resultOf'],
  { status, headers }: FetchedResponse,
  body: ArrayBuffer,
): AttemptResult<Result> {
  const content = /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '') ? objectIn(body) : {};
  const result = status === 200 ? resultOf(content) : undefined;
  if (result !== undefined) return { result };
  const asked = secondsOf(headers.get('retry-after') ?? '');
  const { error, message } = content;
  // The first three digits of an error number are the HTTP status of an error, so `409` and `60000` are none.
  if (
    status === 400 &&
    typeof error === 'number' &&
    /^[45]\d{4}$/.test(`${error}`) &&
    typeof message === 'string'
  ) {
    const retryAfter = asked ?? retryAfterOf(error);
    const requestId = headers.get('x-request-id') ?? undefined;
    return { failure: { error, message, requestId, retryAfter }, pause: retryAfter ?? 0 };
  }
  // A retryable error may have lost its body.
  const number = status === 400 && asked !== undefined ? 50401 : foreignNumber(status);
  return {
    failure: {
      error: number,
      // Browsers hide the status of a redirect that was not followed.
      message: `The response (${status === 0 ? 'a redirect' : `status ${status}`}) did not come from the service but from a proxy or AWS${status === 200 ? ', or from an older version of it' : ''}; check the base URL.`,
      retryAfter: asked ?? retryAfterOf(number),
    },
    pause: asked ?? 0,
  };
}

function foreignNumber(status: number): number {
  if (status === 413) return 41301;
  if (status === 429) return 42901;
  // An unreadable success, a request timeout, or a server error: the plant may have been stored.
  return (status >= 200 && status < 300) || status === 408 || status >= 500 ? 50401 : 40000;
}

/** The codes of Node with which nothing was sent: no connection, or a refused certificate, which it checks before it sends. */
const UNSENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_\w+|(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_\w+)$/;

/**
 * The result of an attempt without a response. Unless no connection was made, the plant may have been stored, as after the
 * service's own 50401. Browsers do not tell.
 * @param cause what `fetch` rejected with, or why it was stopped
 * @param ifLost what is then said of the plant
 * @param begun the response whose body did not arrive, or not whole; its Retry-After counts all the same
 */
export function noResponse(cause: unknown, ifLost: string, begun?: FetchedResponse): AttemptResult<never> {
  const reason = Object(cause).cause ?? cause;
  // For a host with several addresses, Node has one each.
  const each: unknown[] = Object(reason).errors ?? [reason];
  const isUnconnected = begun === undefined && each.length > 0 && each.every((one) => isUnsent(Object(one)));
  const error = isUnconnected ? 50301 : 50401;
  const message = isUnconnected
    ? 'No connection could be made, so this attempt stored nothing; check the base URL.'
    : `No response was received; ${ifLost}, and retrying is safe.`;
  const asked = begun && secondsOf(begun.headers.get('retry-after') ?? '');
  // The first pause is short: often the server only closed an idle connection.
  return { failure: { error, message, retryAfter: asked ?? retryAfterOf(error), cause }, pause: asked ?? 0 };
}

function isUnsent({ syscall, code, message }: Record<string, unknown>): boolean {
  if (syscall === 'connect' || UNSENT.test(String(code))) return true;
  // Ports that the Fetch Standard blocks, such as 9; and an http port, whose first record is no TLS (OpenSSL 3.5, Node 22).
  return message === 'bad port' || String(message).includes(':tls_validate_record_header:');
}

/** The seconds in a Retry-After header, which holds whole seconds or a date (RFC 9110 §10.2.3). */
function secondsOf(value: string): number | undefined {
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** @returns an empty object for any other JSON, and for text that is not JSON in UTF-8 without a byte order mark */
function objectIn(body: ArrayBuffer): Record<string, unknown> {
  // Made here, so that the module can be loaded where there is none.
  const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return Object(parseExact(strictUtf8.decode(body)));
  } catch {
    return {};
  }
}
