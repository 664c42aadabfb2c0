import { PlantStoreError } from './errors.ts';
import { type Call, type HttpResponse, noResponse, type Outcome, readResponse } from './response.ts';

/** The default time limit of a call, and that of an attempt, in milliseconds. A test compares them with the README. */
export const TIMEOUT_MS = 30_000;
export const ATTEMPT_MS = 10_000;
/** The first pause without Retry-After, and the longest, in milliseconds. */
export const FIRST_PAUSE_MS = 250;
export const LONGEST_PAUSE_MS = 10_000;
/** After so many attempts in a row without a connection, the address is probably wrong, or the service away for long. */
const UNCONNECTED_ATTEMPTS = 3;
/** The longest delay of a timer, in milliseconds (24 days): a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A `fetch`: the global one, or another function that sends this request and resolves with its response. */
export type Fetch = (
  url: string,
  request: {
    method: 'GET' | 'POST';
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<HttpResponse>;

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
export interface CreatePlantOptions {
  /** Stops this request; the client's signal stops it too. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

/** Sends a request, and repeats it where that helps. @throws as {@link repeat} */
export type Perform = <Result>(call: Call<Result>, ofCall?: CreatePlantOptions) => Promise<Result>;

/**
 * Makes the function that performs the calls of a client. Sends nothing yet.
 * @throws TypeError or RangeError if an option is invalid
 */
export function performer(options: PlantStoreOptions): Perform {
  const url = addressOf(options.baseUrl);
  const { token, fetch, onRetry, timeoutMs = TIMEOUT_MS, maxAttempts = 1 } = options;
  const { attemptTimeoutMs = ATTEMPT_MS } = options;
  if (typeof token !== 'function') checkedToken(token);
  for (const [name, value] of Object.entries({ fetch, onRetry }))
    if (value != null && typeof value !== 'function') throw new TypeError(`${name} must be a function.`);
  for (const [name, value] of Object.entries({ timeoutMs, attemptTimeoutMs }))
    if (!(value > 0)) throw new RangeError(`${name} must be a number over 0.`);
  signalsOf(options.signal);
  if (maxAttempts !== Infinity && !(Number.isInteger(maxAttempts) && maxAttempts > 0))
    throw new RangeError('maxAttempts must be a whole number over 0, or Infinity.');
  return async (call, { signal, timeoutMs: ofCall = timeoutMs } = {}) => {
    const signals = signalsOf(options.signal, signal);
    return repeat(options, call, signals, ofCall, (bearer, ofAttempt) =>
      send(url, call, bearer, ofAttempt, fetch),
    );
  };
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
function signalsOf(...signals: readonly (AbortSignal | null | undefined)[]): AbortSignal[] {
  const there = signals.filter((signal) => signal != null);
  if (there.some((signal) => typeof signal.aborted !== 'boolean'))
    throw new TypeError('signal must be an AbortSignal.');
  return there;
}

/** @throws TypeError without the token: messages end up in logs */
function checkedToken(token: unknown): string {
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token))
    throw new TypeError('token must be an access token without spaces.');
  return token;
}

async function send<Result>(
  url: string,
  { method, path, body, resultOf }: Call<Result>,
  bearer: string,
  signal: AbortSignal,
  // A variable, because a browser's fetch throws when it is called as a method of an object other than the window.
  fetch: Fetch = globalThis.fetch,
): Promise<Outcome<Result>> {
  const content = body === undefined ? {} : { body };
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { authorization: `Bearer ${bearer}`, ...type };
  try {
    // A redirected POST would become a GET.
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...content,
      signal,
      redirect: 'manual',
    });
    if (typeof response?.arrayBuffer !== 'function') throw new Error('fetch must resolve with a Response.');
    return readResponse(resultOf, response, await response.arrayBuffer());
  } catch (error) {
    return noResponse(error, mayStore(method));
  }
}

/** Whether a request may have stored something although its response was lost. */
function mayStore(method: string): boolean {
  return method !== 'GET';
}

/**
 * Sends a request until it succeeds, a retry cannot help, or its time is over.
 * @param attempt sends the request once; what it throws ends the call
 * @throws PlantStoreError if the request was refused, or no readable response came in time
 * @throws the signal's reason, or what `token` or `onRetry` throws
 */
async function repeat<Result>(
  { token, attemptTimeoutMs = ATTEMPT_MS, maxAttempts, onRetry }: PlantStoreOptions,
  { method }: Call<Result>,
  stops: readonly AbortSignal[],
  timeoutMs: number,
  attempt: (bearer: string, signal: AbortSignal) => Promise<Outcome<Result>>,
): Promise<Result> {
  const deadline = performance.now() + Math.min(timeoutMs, LONGEST_TIMER_MS);
  const timeLeft = () => deadline - performance.now();
  let mayBeStored = false;
  let unconnected = 0;
  for (let attempts = 1; ; attempts += 1) {
    const askForToken = async () => checkedToken(typeof token === 'function' ? await token() : token);
    const bearer = await within(timeLeft(), 'token', stops, askForToken);
    const time = Math.min(attemptTimeoutMs, timeLeft());
    const outcome = await within(time, 'response', stops, (signal) => attempt(bearer, signal)).catch(
      (error) => {
        throwIfStopped(stops);
        return noResponse(error, mayStore(method));
      },
    );
    if ('result' in outcome) return outcome.result;
    const { failure, pause, isUnconnected } = outcome;
    // Had one of our attempts stored the plant, the response would not be a conflict but 200.
    const isLost = mayStore(method) && Math.floor(failure.error / 100) === 504;
    mayBeStored = failure.error !== 40901 && (mayBeStored || isLost);
    const error = new PlantStoreError(failure, mayBeStored);
    const pauseMs = jittered(growing(pause * 1000, attempts));
    unconnected = isUnconnected ? unconnected + 1 : 0;
    const isLast = maxAttempts == null ? unconnected >= UNCONNECTED_ATTEMPTS : attempts >= maxAttempts;
    if (failure.retryAfter === undefined || isLast || pauseMs >= timeLeft()) throw error;
    // Not awaited, because it must not outlast the call.
    Promise.resolve(onRetry?.(error, pauseMs)).catch(() => undefined);
    await within(pauseMs, 'retry', stops, () => new Promise<never>(() => undefined)).catch(() =>
      throwIfStopped(stops),
    );
    // A timer may fire late. A request without time for its response would only leave the result in doubt.
    if (timeLeft() <= 0) throw error;
  }
}

/**
 * Does some work, but waits no longer than a time, and not after an abort, even if the work ignores its signal. Unlike
 * `AbortSignal.any`, it leaves nothing behind on a signal that outlives the work.
 * @param awaited what the work results in, for the message
 * @throws a TimeoutError, or the reason of the abort
 */
async function within<T>(
  ms: number,
  awaited: string,
  stops: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limited = new AbortController();
  const { signal } = limited;
  const onStop = () => limited.abort(stops.find(({ aborted }) => aborted)?.reason);
  const onTimeout = () =>
    limited.abort(new DOMException(`No ${awaited} within ${Math.round(ms)} ms.`, 'TimeoutError'));
  const timer = setTimeout(onTimeout, Math.min(ms, LONGEST_TIMER_MS));
  for (const stop of stops) stop.addEventListener('abort', onStop);
  try {
    throwIfStopped(stops);
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    return await Promise.race([work(signal), ended]);
  } finally {
    clearTimeout(timer);
    for (const stop of stops) stop.removeEventListener('abort', onStop);
  }
}

function throwIfStopped(stops: readonly AbortSignal[]): void {
  for (const stop of stops) stop.throwIfAborted();
}

function growing(leastMs: number, attempts: number): number {
  const first = Math.max(leastMs, FIRST_PAUSE_MS);
  return Math.min(first * 2 ** (attempts - 1), Math.max(first, LONGEST_PAUSE_MS));
}

/** Adds up to half, so that clients that failed at the same time do not retry at the same time. */
function jittered(ms: number): number {
  return ms * (1 + Math.random() / 2);
}
