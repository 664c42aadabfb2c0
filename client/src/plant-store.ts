import type { PlantStoreError } from './errors.ts';
import { checkedToken, checkFunction, checkSignal, plantsUrl, positive, whole } from './options.ts';
import { type NewPlant, type Plant, type Sent, toSend } from './plant.ts';
import { repeat } from './repeat.ts';
import { type HttpResponse, noResponse, type Outcome, readResponse } from './response.ts';
import { runStoppable } from './stop.ts';

/** The default time limits in milliseconds. A test compares them with the README. */
export const DEFAULT_TIMEOUT_MS = 30_000;
export const DEFAULT_ATTEMPT_TIMEOUT_MS = 10_000;

/** A `fetch`: the global one, or another function that sends this request and resolves with its response. */
export type Fetch = (
  url: string,
  request: {
    method: 'POST';
    headers: Record<string, string>;
    body: string;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<HttpResponse>;

/** How to reach the service, and how long to retry. */
export interface PlantStoreOptions {
  /** The address before `/plants`, with or without a trailing slash. */
  readonly baseUrl: string | URL;
  /**
   * An access token, or a function that returns the current one, called before each attempt. What it throws ends the
   * call, and so does a TimeoutError if it is not done within `timeoutMs`.
   */
  readonly token: string | (() => string | Promise<string>);
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Stops every request of this client. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one call, retries included. 30,000 by default; at most 2^31 − 1 (24 days), also for Infinity. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for one attempt. 10,000 by default; the service itself responds in less than 6,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /**
   * The maximum number of attempts, a whole number or Infinity; 1 means no retries. By default it is unlimited within
   * `timeoutMs`, but a call ends after three attempts in a row in which no connection can be made.
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

export interface PlantStore {
  /**
   * Creates a plant, and retries where that helps. Calling this twice with the same plant is safe.
   * @returns the stored plant, without its id
   * @throws TypeError or RangeError before anything is sent, if the plant cannot be sent unchanged or an option is invalid
   * @throws PlantStoreError if the request was refused, or no readable response came in time
   * @throws the signal's reason as soon as it is aborted, or what `token` or `onRetry` throws; an earlier attempt may have
   * stored the plant
   */
  createPlant(plant: NewPlant, options?: CreatePlantOptions): Promise<Plant>;
}

/**
 * Creates a client. Sends nothing yet.
 * @throws TypeError or RangeError if an option is invalid
 */
export function createPlantStore(options: PlantStoreOptions): PlantStore {
  const { token, fetch: ownFetch, signal: ofClient, onRetry } = options;
  const url = plantsUrl(options.baseUrl);
  if (typeof token !== 'function') checkedToken(token);
  checkFunction('fetch', ownFetch);
  checkFunction('onRetry', onRetry);
  checkSignal(ofClient);
  const limits = {
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    attemptTimeoutMs: positive('attemptTimeoutMs', options.attemptTimeoutMs ?? DEFAULT_ATTEMPT_TIMEOUT_MS),
    maxAttempts: options.maxAttempts == null ? undefined : whole('maxAttempts', options.maxAttempts),
    onRetry,
  };

  const currentToken = async () => checkedToken(await (typeof token === 'function' ? token() : token));

  async function send({ body, plant }: Sent, bearer: string, signal: AbortSignal): Promise<Outcome> {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    // A variable, because a browser's fetch throws when it is called as a method of an object other than the window.
    const fetch: Fetch = ownFetch ?? globalThis.fetch;
    try {
      // A redirected POST would become a GET.
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      if (typeof response?.arrayBuffer !== 'function') throw new Error('fetch must resolve with a Response.');
      return readResponse({ body, plant }, response, await response.arrayBuffer());
    } catch (error) {
      return noResponse(error);
    }
  }

  return {
    async createPlant(newPlant, { signal: ofCall, timeoutMs = limits.timeoutMs } = {}) {
      const sent = toSend(newPlant);
      checkSignal(ofCall);
      const limitsOfCall = { ...limits, timeoutMs: positive('timeoutMs', timeoutMs) };
      const attempt = (bearer: string, signal: AbortSignal) => send(sent, bearer, signal);
      return runStoppable([ofClient, ofCall], (signal) =>
        repeat(currentToken, attempt, signal, limitsOfCall),
      );
    },
  };
}
