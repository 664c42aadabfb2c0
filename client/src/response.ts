import { type FailureDetails, retryAfterOf } from './errors.ts';
import { isSamePlant, type Plant, type Sent } from './plant.ts';

/** What is read of a response. The global `Response` has it, and so have those of other implementations. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The result of one attempt to create a plant. */
export type Outcome =
  | { readonly plant: Plant }
  | {
      readonly failure: FailureDetails;
      /** The least number of seconds to wait before the next attempt. */
      readonly pause: number;
      /** Whether no connection could be made. */
      readonly isUnconnected?: boolean;
    };

/**
 * Reads a response. A response that does not conform to the contract came from a proxy or from AWS; its status is mapped
 * to a published number.
 * @param sent what a 200 must have
 */
export function readResponse(sent: Sent, { status, headers }: HttpResponse, body: ArrayBuffer): Outcome {
  const content = isJson(headers) ? parseObject(body) : {};
  if (status === 200 && isSamePlant(content, sent)) return { plant: sent.plant };
  const asked = secondsOf(headers.get('retry-after') ?? '');
  if (status === 400 && isError(content)) {
    const retryAfter = asked ?? retryAfterOf(content.error);
    const requestId = headers.get('x-request-id') ?? undefined;
    const { error, message } = content;
    return { failure: { error, message, requestId, retryAfter }, pause: retryAfter ?? 0 };
  }
  const error = foreignNumber(status);
  const retryAfter = asked ?? retryAfterOf(error);
  return { failure: { error, message: foreignMessage(status), retryAfter }, pause: asked ?? 0 };
}

/**
 * The result of an attempt without a response. Unless no connection was made, the plant may have been stored, as after the
 * service's own 50401.
 * @param cause what `fetch` threw, or why it was stopped
 * @throws the cause if it is no failure of the network but a mistake in somebody's own `fetch`
 */
export function noResponse(cause: unknown): Outcome {
  if (!isOfNetwork(Object(cause))) throw cause;
  const isUnconnected = failedToConnect(cause);
  const error = isUnconnected ? 50301 : 50401;
  const message = isUnconnected
    ? 'No connection could be made, so this attempt stored nothing; check the base URL.'
    : 'No response was received; the plant may have been stored, and retrying is safe.';
  // The first pause is short: often the server only closed an idle connection.
  return { failure: { error, message, retryAfter: retryAfterOf(error), cause }, pause: 0, isUnconnected };
}

/**
 * `fetch` throws a TypeError for each failure of the network (Fetch Standard, "fetch()"), a DOMException after an abort. Others
 * throw errors of Node, which have a code.
 */
function isOfNetwork({ name, code }: { name?: unknown; code?: unknown }): boolean {
  return ['TypeError', 'TimeoutError', 'AbortError'].includes(String(name)) || typeof code === 'string';
}

/**
 * Whether an error of `fetch` proves that nothing was sent. Node names the system call that failed, for a host with
 * several addresses once for each (https://nodejs.org/api/errors.html#class-systemerror); browsers name nothing.
 */
function failedToConnect(error: unknown): boolean {
  const reason = Object(error).cause ?? error;
  const each: unknown[] = Array.isArray(Object(reason).errors) ? Object(reason).errors : [reason];
  return each.length > 0 && each.every((one) => isConnectError(Object(one)));
}

/** A refused certificate, which Node checks before it sends (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const CERTIFICATE_REFUSED: readonly unknown[] = [
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

function isConnectError({ syscall, code, message }: Record<string, unknown>): boolean {
  if (syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  if (CERTIFICATE_REFUSED.includes(code)) return true;
  // The first record is not TLS, as of an http port: OpenSSL 3.5 (Node 22) checks later records in other functions. The
  // code ERR_SSL_WRONG_VERSION_NUMBER proves nothing: a later record can cause it, after the request was sent.
  if (String(message).includes(':tls_validate_record_header:')) return true;
  // Ports that the Fetch Standard blocks ("port blocking"), such as 9 and 6000: Node's fetch connects to none.
  return message === 'bad port';
}

function foreignNumber(status: number): number {
  if (status === 413) return 41301;
  if (status === 429) return 42901;
  // An unreadable success, a request timeout, or a server error: the plant may have been stored.
  if ((status >= 200 && status < 300) || status === 408 || status >= 500) return 50401;
  return 40000;
}

function foreignMessage(status: number): string {
  // Browsers hide the status of a redirect that was not followed.
  const what = status === 0 ? 'a redirect' : `status ${status}`;
  return `The response (${what}) did not come from the service but from a proxy or AWS; check the base URL.`;
}

/** The seconds in a Retry-After header, which holds whole seconds or a date (RFC 9110 §10.2.3). */
function secondsOf(value: string): number | undefined {
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function isJson(headers: HttpResponse['headers']): boolean {
  return /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

/** @returns an empty object for any other JSON, and for text that is not JSON in UTF-8 without a byte order mark */
function parseObject(body: ArrayBuffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)));
  } catch {
    return {};
  }
}

/** The first three digits of an error number are the HTTP status of an error, so `409` and `60000` are none. */
function isError(content: object): content is { error: number; message: string } {
  const { error, message } = content as { error?: unknown; message?: unknown };
  return typeof error === 'number' && /^[45]\d{4}$/.test(String(error)) && typeof message === 'string';
}
