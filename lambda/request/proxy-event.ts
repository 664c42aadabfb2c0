import { Failure } from '../errors.ts';
import { MAX_BODY_BYTES } from '../limits.ts';
import { type OperationName, parametersOf, ROUTES, type Route } from '../routes.ts';
import { notUtf8 } from './broken-utf8.ts';

/** The fields of an API Gateway proxy event (payload version 1.0) that an operation may read. Untrusted. */
export interface ProxyEvent {
  readonly httpMethod?: unknown;
  readonly resource?: unknown;
  readonly path?: unknown;
  readonly headers?: unknown;
  readonly multiValueHeaders?: unknown;
  readonly body?: unknown;
  readonly isBase64Encoded?: unknown;
  readonly requestContext?: {
    readonly requestId?: unknown;
    readonly extendedRequestId?: unknown;
    readonly identity?: { readonly sourceIp?: unknown } | null;
  } | null;
}

/** The scheme is case-insensitive, followed by one or more spaces (RFC 9110 §11.1 and §11.4, RFC 6750 §2.1). */
const BEARER = /^bearer +(.*)/is;

/** The characters of any bearer token, whoever issued it (RFC 6750 §2.1, `b64token`). */
export const BEARER_TOKEN = /^[\w.~+/-]+=*$/;

/** `application/json`, or any `application` type with the `+json` suffix (RFC 6839 §3.1), parameters ignored. */
const JSON_MEDIA_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json[ \t]*(?:;|$)/i;

// `ignoreBOM` keeps the byte order mark, so that the JSON parser refuses it (RFC 8259 §8.1 forbids sending one).
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Finds the operation that a request is for. Both the gateway's resource and the path as sent must be those of its route, the path
 * with a custom domain's base path or none: API Gateway also routes `/plants/` and `//plants` here.
 * @throws Failure 40401 if there is none, also for an event that is no HTTP request
 */
export function requireOperation({ httpMethod, path, resource = path }: ProxyEvent): OperationName {
  const names = Object.keys(ROUTES) as OperationName[];
  const found = names.find((name) => {
    const route: Route = ROUTES[name];
    const isResource = httpMethod === route.method && resource === route.path;
    return isResource && typeof path === 'string' && parametersOf(route, path);
  });
  if (found === undefined) throw new Failure('NO_SUCH_OPERATION');
  return found;
}

/**
 * Reads the bearer token of a request (RFC 6750 §2.1).
 * @returns a token of any format
 * @throws Failure 40101 when there is none, 40102 when it has other characters or Authorization was given twice
 */
export function bearerToken(event: ProxyEvent): string {
  const values = headerValues(event, 'authorization');
  const token = BEARER.exec(values[0] ?? '')?.[1];
  if (values.length > 1 || (token && !BEARER_TOKEN.test(token)))
    throw new Failure('INVALID_TOKEN', { fault: 'malformed token' });
  if (!token) throw new Failure('NO_TOKEN');
  return token;
}

/**
 * Reads the body of a request as text.
 * @returns the text of its UTF-8 bytes, unchanged; empty when there is no body
 * @throws Failure 41501 when its headers say it is not plain JSON, 41301 when it is over 1 MiB, 40001 when it is not UTF-8
 */
export function bodyText(event: ProxyEvent): string {
  requireJsonMediaType(event);
  const body = typeof event.body === 'string' ? event.body : '';
  // With binaryMediaTypes */* a body arrives as base64, otherwise as text.
  const isBase64 = event.isBase64Encoded === true;
  const bytes = Buffer.from(body, isBase64 ? 'base64' : 'utf8');
  if (bytes.length > MAX_BODY_BYTES) throw new Failure('TOO_LARGE');
  // Converting a lone surrogate to bytes replaces it with U+FFFD, so another name would be stored.
  if (!isBase64 && !body.isWellFormed()) throw new Failure('INVALID_JSON');
  try {
    return utf8.decode(bytes);
  } catch {
    throw notUtf8(bytes);
  }
}

function requireJsonMediaType(event: ProxyEvent): void {
  const types = headerValues(event, 'content-type');
  const codings = headerValues(event, 'content-encoding');
  const isJson = types.every((type) => JSON_MEDIA_TYPE.test(type.trim()));
  const isPlain = codings.every((coding) => coding.trim().toLowerCase() === 'identity');
  if (!isJson || !isPlain) throw new Failure('NOT_JSON');
}

/** The address of the sender, as the gateway saw it. */
export function senderAddress({ requestContext }: ProxyEvent): string | undefined {
  const address = requestContext?.identity?.sourceIp;
  return typeof address === 'string' ? address : undefined;
}

/**
 * All values of a header, in order. Names are case-insensitive (RFC 9110 §5.1). `headers` has only the last value of each
 * header, so `multiValueHeaders` is used where it is present.
 * @param name the header's name in lower case
 */
export function headerValues(event: ProxyEvent, name: string): string[] {
  const many = valuesIn(event.multiValueHeaders, name);
  return many.length > 0 ? many : valuesIn(event.headers, name);
}

function valuesIn(headers: unknown, name: string): string[] {
  if (typeof headers !== 'object' || headers === null) return [];
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value)
    .filter((value) => typeof value === 'string');
}
