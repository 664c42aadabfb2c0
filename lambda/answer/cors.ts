import type { APIGatewayProxyResult } from 'aws-lambda';
import { headerValues, type ProxyEvent } from '../request/proxy-event.ts';
import { ANSWER_HEADERS } from './answers.ts';

/** Allows every origin. */
const ANY = '*';

/** The answer headers that a page's scripts may read, in addition to those that the Fetch Standard always allows. */
const EXPOSED_HEADERS = 'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate';

/** The headers of a preflight's answer, in addition to those of every answer. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type',
  // Seconds. Chromium caches a preflight for two hours at most.
  'access-control-max-age': '7200',
} as const;

/**
 * Whether a request is a preflight from an allowed origin. Browsers send it without a token, before a request with an
 * Authorization header (Fetch Standard, "CORS-preflight fetch"). Its path does not matter: without an answer to the
 * preflight, an app could not read the 40401 for a wrong path.
 */
export function isPreflight(event: ProxyEvent, allowedOrigins: readonly string[]): boolean {
  return (
    event.httpMethod === 'OPTIONS' &&
    headerValues(event, 'access-control-request-method').length > 0 &&
    allowedOrigin(event, allowedOrigins) !== undefined
  );
}

/** The answer to a preflight. It is the only answer that is neither 200 nor 400. */
export function preflightAnswer(requestId: string): APIGatewayProxyResult {
  return {
    statusCode: 204,
    headers: { ...ANSWER_HEADERS, ...PREFLIGHT_HEADERS, 'x-request-id': requestId },
    body: '',
  };
}

/** Adds the headers with which pages of the request's origin may read the answer, if the origin is allowed. */
export function withCors(
  answer: APIGatewayProxyResult,
  event: ProxyEvent,
  allowedOrigins: readonly string[],
): APIGatewayProxyResult {
  const origin = allowedOrigin(event, allowedOrigins);
  return { ...answer, headers: { ...answer.headers, ...corsHeaders(origin) } };
}

/**
 * The CORS headers of an answer.
 * @param origin the origin whose pages may read the answer; undefined for none
 */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  // `Vary` is needed even without the other headers (Fetch Standard, "CORS protocol and HTTP caches").
  if (origin === undefined) return { vary: 'Origin' };
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
    vary: 'Origin',
  };
}

/** Browsers send one Origin header. Several values, joined, equal none in the list. */
function allowedOrigin(event: ProxyEvent, allowedOrigins: readonly string[]): string | undefined {
  const origin = headerValues(event, 'origin').join();
  return allowedOrigins.find((allowed) => allowed === ANY || allowed === origin);
}
