import { PlantStoreError } from './errors.ts';
import { type HeaderSource, headerValues } from './headers.ts';
import { MAX_BODY_BYTES } from './limits.ts';

/** `application/json`, or any `application` type with the `+json` suffix (RFC 6839 §3.1), parameters ignored. */
const JSON_MEDIA_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json[ \t]*(?:;|$)/i;

// `ignoreBOM` keeps the mark in the text, where the JSON parser refuses it (RFC 8259 §8.1 forbids sending one).
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The body of an API Gateway proxy event. */
export interface BodySource extends HeaderSource {
  readonly body?: unknown;
  readonly isBase64Encoded?: unknown;
}

/**
 * Takes the body's text out of a request.
 * @returns the text exactly as its UTF-8 bytes said it; empty when there was no body
 * @throws PlantStoreError 41501 when it says it is not JSON, 41301 when it is over 1 MiB, 40001 when it is not UTF-8
 */
export function bodyText(event: BodySource): string {
  requireJsonMediaType(event);
  const body = typeof event.body === 'string' ? event.body : '';
  // With binaryMediaTypes */* every body arrives as base64; without, as text. The event says which.
  const isBase64 = event.isBase64Encoded === true;
  const bytes = Buffer.from(body, isBase64 ? 'base64' : 'utf8');
  if (bytes.length > MAX_BODY_BYTES) throw new PlantStoreError('TOO_LARGE');
  // Half of a surrogate pair in a text has silently become U+FFFD in its bytes, which would store another name.
  if (!isBase64 && !body.isWellFormed()) throw new PlantStoreError('INVALID_JSON');
  try {
    return utf8.decode(bytes);
  } catch {
    throw new PlantStoreError('INVALID_JSON');
  }
}

function requireJsonMediaType(event: HeaderSource): void {
  const types = headerValues(event, 'content-type');
  const codings = headerValues(event, 'content-encoding');
  const isJson = types.every((type) => JSON_MEDIA_TYPE.test(type.trim()));
  const isPlain = codings.every((coding) => coding.trim().toLowerCase() === 'identity');
  if (!isJson || !isPlain) throw new PlantStoreError('NOT_JSON');
}
