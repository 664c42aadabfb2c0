import { type Failure, retryAfterOf } from './errors.ts';
import type { Plant } from './plant.ts';

/** The result of one attempt to create a plant. */
export type Outcome =
  | { readonly plant: Plant }
  | {
      readonly failure: Failure;
      /** The least number of seconds to wait before the next attempt. */
      readonly pause: number;
    };

/**
 * Reads an answer. An answer that does not conform to the contract came from a proxy or from AWS; its status is mapped
 * to a published number.
 */
export function readAnswer(status: number, headers: Headers, body: string): Outcome {
  const content = parseObject(body);
  if (status === 200 && isPlant(content)) return { plant: pick(content) };
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
 * The result of an attempt without an answer: the plant may be stored, as after the service's own 50401.
 * @param cause what `fetch` threw, or why it was stopped
 */
export function noAnswer(cause: unknown): Outcome {
  const message = 'No answer came, and the plant may be stored; sending the same request again is safe.';
  return { failure: { error: 50401, message, retryAfter: retryAfterOf(50401), cause }, pause: 0 };
}

function foreignNumber(status: number): number {
  if (status === 413) return 41301;
  if (status === 429) return 42901;
  // An unreadable success, a request time-out, or a server error: the plant may be stored.
  if ((status >= 200 && status < 300) || status === 408 || status >= 500) return 50401;
  return 40000;
}

function foreignMessage(status: number): string {
  // Browsers hide the status of a redirect that was not followed.
  const what = status === 0 ? 'a redirect' : `status ${status}`;
  return `The answer (${what}) did not come from the service but from a proxy or AWS; check the base URL.`;
}

/** The seconds in a Retry-After header, which holds whole seconds or a date (RFC 9110 §10.2.3). */
function secondsOf(value: string): number | undefined {
  if (/^\d+$/.test(value)) return Number(value);
  // Each form of a date begins with the day of the week and has a time. `Date.parse` would also read `1.5` and `A 1` as one.
  const seconds = Math.ceil((Date.parse(/^[A-Z].+:/.test(value) ? value : '') - Date.now()) / 1000);
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

/** Drops properties that a later version of the service may add. */
function pick({ name, tag }: Plant): Plant {
  return tag === undefined ? { name } : { name, tag };
}
