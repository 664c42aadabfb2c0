import { type Failure, retryAfterOf } from './errors.ts';
import type { Plant } from './plant.ts';

/** What became of one attempt to create a plant. */
export type Outcome =
  | { readonly plant: Plant }
  | {
      readonly failure: Failure;
      /** The least number of seconds before the next attempt. */
      readonly pause: number;
    };

/**
 * Reads an answer. One that the contract does not have came from something in front of the service, such as a proxy or
 * AWS itself, and gets the published number that says the same.
 */
export function readAnswer(status: number, headers: Headers, body: string): Outcome {
  const content = parseObject(body);
  if (status === 200 && isPlant(content)) return { plant: pick(content) };
  const asked = secondsOf(headers.get('retry-after'));
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
 * What becomes of an attempt for which no answer came: the plant may be stored, as after the service's own 50401.
 * @param cause what `fetch` threw, or why it was stopped
 */
export function noAnswer(cause: unknown): Outcome {
  const message = 'No answer came, and the plant may be stored; sending the same request again is safe.';
  return { failure: { error: 50401, message, retryAfter: retryAfterOf(50401), cause }, pause: 0 };
}

function foreignNumber(status: number): number {
  if (status === 413) return 41301;
  if (status === 429) return 42901;
  // A success that cannot be read, a request time-out, or a fault: the plant may be stored.
  if ((status >= 200 && status < 300) || status === 408 || status >= 500) return 50401;
  return 40000;
}

function foreignMessage(status: number): string {
  // A redirect that was not followed has no status in browsers.
  const what = status === 0 ? 'a redirect' : `status ${status}`;
  return `The answer, ${what}, is not the service's but came from something in front of it; check the base URL.`;
}

/** Seconds from a Retry-After header, which is whole seconds or a date (RFC 9110 §10.2.3). */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function isPlant(content: object): content is Plant {
  const { name, tag } = content as { name?: unknown; tag?: unknown };
  return typeof name === 'string' && (tag === undefined || typeof tag === 'string');
}

function isError(content: object): content is { error: number; message: string } {
  const { error, message } = content as { error?: unknown; message?: unknown };
  return Number.isInteger(error) && typeof message === 'string';
}

/** Without what a later version of the service may answer besides. */
function pick({ name, tag }: Plant): Plant {
  return tag === undefined ? { name } : { name, tag };
}
