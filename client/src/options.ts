import type { PlantStoreError } from './errors.ts';
import type { FetchedResponse } from './response.ts';

/** The default time limit of a call, and that of an attempt, in milliseconds. A test compares them with the README. */
export const TIMEOUT_MS = 30_000;
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** A `fetch`: the global one, or another function that sends this request and resolves with its response. */
export type Fetch = (
  url: string,
  request: {
    method: string;
    headers: Record<string, string>;
    body: string;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<FetchedResponse>;

/** How to reach the service, and how long to retry. */
export interface PlantStoreOptions {
  /** The address before `/plants`, with or without a trailing slash. */
  readonly baseUrl: string | URL;
  /** An access token, or a function that returns the current one, called before each attempt. What it throws ends the call. */
  readonly token: string | (() => string | Promise<string>);
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Stops every request of this client. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one call, retries included. 30,000 by default; at most 2^31 − 1 (24 days), also for Infinity. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for one attempt, after which it is retried: 10,000 by default. */
  readonly attemptTimeoutMs?: number | undefined;
  /**
   * The maximum number of attempts; 1 means no retries. By default it is unlimited within `timeoutMs`, but a call ends after three
   * attempts in a row in which no connection can be made.
   */
  readonly maxAttempts?: number | undefined;
  /** Called before each pause. What it throws ends the call; a promise that it returns is ignored. */
  readonly onRetry?: ((error: PlantStoreError, pauseMs: number) => void) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Stops this request; the client's signal stops it too. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

/** Checks the options of a client. @returns the base URL without a slash at its end @throws TypeError or RangeError if one is invalid */
export function checkOptions(options: PlantStoreOptions): string {
  if (typeof TextDecoder !== 'function')
    throw new TypeError(
      'This environment has no TextDecoder, as jest-environment-jsdom has none; jest-environment-node has it.',
    );
  const { token, fetch, onRetry, timeoutMs = TIMEOUT_MS, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS } = options;
  const { maxAttempts = 1 } = options;
  const url = addressOf(options.baseUrl);
  if (typeof token !== 'function') checkedToken(token);
  for (const [name, value] of Object.entries({ fetch, onRetry }))
    if (value != null && typeof value !== 'function') throw new TypeError(`${name} must be a function.`);
  for (const [name, value] of Object.entries({ timeoutMs, attemptTimeoutMs }))
    if (!(value > 0)) throw new RangeError(`${name} must be a number over 0.`);
  signalsOf(options.signal);
  if (maxAttempts !== Infinity && !(Number.isInteger(maxAttempts) && maxAttempts > 0))
    throw new RangeError('maxAttempts must be a whole number over 0, or Infinity.');
  return url;
}

/** @throws TypeError, without the value, which may have a password */
function addressOf(baseUrl: string | URL): string {
  const { href, origin, pathname } = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : ({} as Partial<URL>);
  if (!/^https?:/.test(href ?? '') || href !== `${origin}${pathname}`)
    throw new TypeError(
      'baseUrl must be a whole http or https URL, such as https://plants.example/prod, without a user name, query or fragment.',
    );
  const base = href.replace(/\/+$/, '');
  if (base.endsWith('/plants')) throw new TypeError('baseUrl must be the address before /plants.');
  return base;
}

/** @throws TypeError if one is something else, such as its controller */
export function signalsOf(...signals: readonly (AbortSignal | null | undefined)[]): AbortSignal[] {
  const there = signals.filter((signal) => signal != null);
  if (there.some((signal) => typeof signal.aborted !== 'boolean'))
    throw new TypeError('signal must be an AbortSignal.');
  return there;
}

/** @throws TypeError without the token: messages end up in logs */
export function checkedToken(token: unknown): string {
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token))
    throw new TypeError('token must be an access token without spaces.');
  return token;
}
