import type { MiddyRequest } from '../request/invocation.ts';
import { headerValues, type ProxyEvent } from '../request/proxy-event.ts';
import { ROUTES } from '../routes.ts';
import { RESPONSE_HEADERS } from './responses.ts';

/** Allows every origin. */
const ANY = '*';

/** The response headers that a page's scripts may read, in addition to those that the Fetch Standard always allows. */
const EXPOSED_HEADERS = 'x-request-id, retry-after, www-authenticate, x-amzn-remapped-www-authenticate';

/** The request headers that a page may send even if its preflight does not ask for them. */
const USUAL_HEADERS = 'authorization, content-type';

/** A list of headers' names (RFC 9110 §5.6.2, `token`), but without an asterisk: in a response, `*` alone would be a wildcard. */
const HEADER_NAMES = /^[\w!#$%&'+.^`|~, -]{1,1024}$/;

/** Of the operations, each once. */
const METHODS = [...new Set(Object.values(ROUTES).map(({ method }) => method))].join(', ');

/**
 * The middleware that adds the headers with which pages of allowed origins may read the responses, and responds to their
 * preflights.
 */
export function cors(allowedOrigins: readonly string[]) {
  const addHeaders = (request: MiddyRequest) => {
    const headers = corsHeaders(allowedOrigin(request.event.event, allowedOrigins));
    Object.assign(request.response as object, { headers: { ...request.response?.headers, ...headers } });
  };
  return {
    before(request: MiddyRequest) {
      const { event, requestId, log } = request.event;
      const origin = allowedOrigin(event, allowedOrigins);
      if (!isPreflight(event) || !origin) return undefined;
      log.outcome = 'preflight';
      // The only response that is neither 200 nor 400.
      return {
        statusCode: 204,
        headers: {
          ...RESPONSE_HEADERS,
          ...corsHeaders(origin),
          'access-control-allow-methods': METHODS,
          // Seconds. Chromium caches a preflight for two hours at most.
          'access-control-max-age': '7200',
          'access-control-allow-headers': allowedHeaders(event),
          'x-request-id': requestId,
        },
        body: '',
      };
    },
    after: addHeaders,
    onError: addHeaders,
  };
}

/**
 * Whether a request is a preflight. Browsers send it without a token, before a request with an
 * Authorization header (Fetch Standard, "CORS-preflight fetch"). Its path does not matter: without a response to the
 * preflight, an app could not read the 40401 for a wrong path.
 */
function isPreflight(event: ProxyEvent): boolean {
  return event.httpMethod === 'OPTIONS' && headerValues(event, 'access-control-request-method').length > 0;
}

/**
 * The request headers that a page may send: all that its preflight asks for, because tracing adds some to each request, and the
 * service reads none of them. A list that no browser sends is ignored as a whole. It needs no `Vary`: no cache keeps a response
 * to OPTIONS (RFC 9110 §9.3.7).
 */
function allowedHeaders(event: ProxyEvent): string {
  const requested = headerValues(event, 'access-control-request-headers').join();
  return HEADER_NAMES.test(requested) ? `${USUAL_HEADERS}, ${requested}` : USUAL_HEADERS;
}

/**
 * The CORS headers of a response.
 * @param origin the origin whose pages may read the response; undefined for none
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
