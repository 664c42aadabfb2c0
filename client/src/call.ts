import { PlantStoreError } from './errors.ts';
import {
  ATTEMPT_TIMEOUT_MS,
  type CallOptions,
  checkedToken,
  checkOptions,
  type PlantStoreOptions,
  signalsOf,
  TIMEOUT_MS,
} from './options.ts';
import { type AttemptResult, type Call, type FetchedResponse, noResponse, readResponse } from './response.ts';
import { TimeoutError, throwIfStopped, within } from './within.ts';

/** The first pause without Retry-After, and the longest, in milliseconds. */
export const FIRST_PAUSE_MS = 250;
export const LONGEST_PAUSE_MS = 10_000;
/** After so many attempts in a row without a connection, the address is probably wrong, or the service away for long. */
const UNCONNECTED_ATTEMPTS = 3;
/** The longest delay of a timer, in milliseconds (24 days): a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends a request until it succeeds, a retry cannot help, or its time is over.
 * @throws PlantStoreError if the request was refused, or no readable response came in time
 * @throws the signal's reason, or what `token` or `onRetry` throws
 */
export type Perform = <Result>(call: Call<Result>, ofCall?: CallOptions) => Promise<Result>;

/**
 * Makes the function that performs the calls of a client. Sends nothing yet.
 * @throws TypeError or RangeError if an option is invalid
 */
export function performer(options: PlantStoreOptions): Perform {
  const url = checkOptions(options);
  const { token, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS, maxAttempts, onRetry } = options;
  const ownStops = signalsOf(options.signal);
  return async (call, { signal, timeoutMs = options.timeoutMs ?? TIMEOUT_MS } = {}) => {
    const stops = signal == null ? ownStops : signalsOf(options.signal, signal);
    const deadline = performance.now() + Math.min(timeoutMs, LONGEST_TIMER_MS);
    const timeLeft = () => deadline - performance.now();
    let mayBeStored = false;
    let unconnected = 0;
    for (let attempts = 1; ; attempts += 1) {
      const bearer =
        typeof token === 'function'
          ? await within(timeLeft(), 'token', stops, async () => checkedToken(await token()))
          : token;
      const time = Math.min(attemptTimeoutMs, timeLeft());
      const begun: Begun = {};
      const attempt = (ofAttempt: AbortSignal) => send(url, call, bearer, ofAttempt, begun, options.fetch);
      const outcome = await within(time, 'response', stops, attempt).catch((error) => {
        throwIfStopped(stops);
        if (!(error instanceof TimeoutError)) throw error;
        return noResponse(error, call.ifLost, begun.response);
      });
      if ('result' in outcome) return outcome.result;
      const { failure, pause } = outcome;
      // Had one of our attempts stored the plant, the response would not be a conflict but 200.
      const isLost = call.mayStore && Math.floor(failure.error / 100) === 504;
      mayBeStored = failure.error !== 40901 && (mayBeStored || isLost);
      const error = new PlantStoreError(failure, mayBeStored);
      const pauseMs = jittered(growing(pause * 1000, attempts));
      // A 50301 of the service has no cause.
      unconnected = failure.error === 50301 && failure.cause !== undefined ? unconnected + 1 : 0;
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
  };
}

/** What came before the end of an attempt: a response, whose body may be missing. */
interface Begun {
  response?: FetchedResponse;
}

/**
 * One attempt. What the promises of `fetch` and of the body reject with is a lost connection, whatever its class: that of workerd is a
 * plain Error. Anything else is a mistake in somebody's own `fetch`.
 */
async function send<Result>(
  url: string,
  { method, path, body, resultOf, ifLost }: Call<Result>,
  bearer: string,
  signal: AbortSignal,
  begun: Begun,
  // A variable, because a browser's fetch throws when it is called as a method of an object other than the window.
  fetch = globalThis.fetch as NonNullable<PlantStoreOptions['fetch']>,
): Promise<AttemptResult<Result>> {
  const authorization = `Bearer ${bearer}`;
  // A redirected POST would become a GET.
  const redirect = 'manual';
  const headers = { authorization, 'content-type': 'application/json' };
  const sent = fetch(`${url}${path}`, { method, headers, body, signal, redirect });
  const arrived = await settled(sent);
  if ('reason' in arrived) return noResponse(arrived.reason, ifLost);
  const response = arrived.value;
  if (typeof response?.arrayBuffer !== 'function') throw new Error('fetch must resolve with a Response.');
  begun.response = response;
  const read = await settled(response.arrayBuffer());
  if ('reason' in read) return noResponse(read.reason, ifLost, response);
  return readResponse(resultOf, response, read.value);
}

async function settled<T>(promise: Promise<T>): Promise<{ value: T } | { reason: unknown }> {
  try {
    return { value: await promise };
  } catch (reason) {
    return { reason };
  }
}

function growing(leastMs: number, attempts: number): number {
  const first = Math.max(leastMs, FIRST_PAUSE_MS);
  return Math.min(first * 2 ** (attempts - 1), Math.max(first, LONGEST_PAUSE_MS));
}

/** Adds up to half, so that clients that failed at the same time do not retry at the same time. */
function jittered(ms: number): number {
  return ms * (1 + Math.random() / 2);
}
