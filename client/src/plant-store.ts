import type { PlantStoreError } from './errors.ts';
import { type NewPlant, type Plant, type Sent, toSend } from './plant.ts';
import { repeat } from './repeat.ts';
import { type HttpResponse, noResponse, type Outcome, readResponse } from './response.ts';
import { runStoppable } from './stop.ts';

/** After this many refused connections in a row the address is probably wrong, or the service will be away for long. */
const UNCONNECTED_ATTEMPTS = 3;

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
  /** An access token, or a function that returns the current one, called before each attempt. */
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
   * The maximum number of attempts; 1 means no retries. By default it is unlimited within `timeoutMs`, but a call
   * ends after three attempts in a row in which no connection can be made.
   */
  readonly maxAttempts?: number | undefined;
  /** Called and awaited before each pause, for logs or to slow down. An error that it throws ends the call. */
  readonly onRetry?: ((error: PlantStoreError, pauseMs: number) => void | Promise<void>) | undefined;
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
   * @throws TypeError or RangeError before anything is sent, if the plant cannot be sent unchanged
   * @throws PlantStoreError if the request was refused, or no readable response came in time
   * @throws the signal's reason as soon as it is aborted; the plant may have been stored
   */
  createPlant(plant: NewPlant, options?: CreatePlantOptions): Promise<Plant>;
}

/**
 * Creates a client. Sends nothing yet.
 * @throws TypeError or RangeError if an option is invalid
 */
export function createPlantStore(options: PlantStoreOptions): PlantStore {
  const url = plantsUrl(options.baseUrl);
  const { token } = options;
  if (typeof token !== 'function') checkedToken(token);
  const limits = {
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    attemptTimeoutMs: positive('attemptTimeoutMs', options.attemptTimeoutMs ?? DEFAULT_ATTEMPT_TIMEOUT_MS),
    maxAttempts: positive('maxAttempts', options.maxAttempts ?? Infinity),
    maxUnconnected: options.maxAttempts ?? UNCONNECTED_ATTEMPTS,
    onRetry: options.onRetry,
  };

  async function send({ body, plant }: Sent, signal: AbortSignal): Promise<Outcome> {
    const authorization = `Bearer ${checkedToken(await (typeof token === 'function' ? token() : token))}`;
    const headers = { authorization, 'content-type': 'application/json' };
    // A variable, because a browser's fetch throws when it is called as a method of an object other than the window.
    const fetch: Fetch = options.fetch ?? globalThis.fetch;
    try {
      // A redirected POST would become a GET.
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      if (typeof response?.arrayBuffer !== 'function') throw new Error('fetch must resolve with a Response.');
      return readResponse(plant, response, await response.arrayBuffer());
    } catch (error) {
      return noResponse(error);
    }
  }

  return {
    async createPlant(newPlant, { signal, timeoutMs = limits.timeoutMs } = {}) {
      const sent = toSend(newPlant);
      const ofCall = { ...limits, timeoutMs: positive('timeoutMs', timeoutMs) };
      return runStoppable([options.signal, signal], (stopped) =>
        repeat((attempt) => send(sent, attempt), stopped, ofCall),
      );
    },
  };
}

function plantsUrl(baseUrl: string | URL): string {
  const { href, origin, pathname } = parsedUrl(baseUrl);
  if (!/^https?:/.test(href) || href !== origin + pathname) throw invalidBaseUrl();
  const path = pathname.replace(/\/+$/, '');
  if (path.endsWith('/plants')) throw new TypeError('baseUrl must be the address before /plants.');
  return `${origin}${path}/plants`;
}

function parsedUrl(baseUrl: string | URL): URL {
  try {
    return new URL(baseUrl);
  } catch {
    // The engine's own "Invalid URL" does not name the option.
    throw invalidBaseUrl();
  }
}

/** Does not contain the value, which may have a password. */
function invalidBaseUrl(): TypeError {
  return new TypeError(
    'baseUrl must be a whole http or https URL, such as https://plants.example/prod, without a user name, query or fragment.',
  );
}

/** No message contains the token: messages end up in logs. */
function checkedToken(token: unknown): string {
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token))
    throw new TypeError('token must be an access token without spaces.');
  return token;
}

function positive(option: string, value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) throw new RangeError(`${option} must be a number over 0.`);
  return value;
}
