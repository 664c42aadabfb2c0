import { PlantStoreError, statusOf } from './errors.ts';
import type { Plant } from './plant.ts';
import { noResponse, type Outcome } from './response.ts';
import { LONGEST_TIMER_MS, runStoppable, wait } from './stop.ts';

/** For how long and how often a request is tried. */
export interface Limits {
  /** For all attempts and the pauses between them. */
  readonly timeoutMs: number;
  /** For one attempt. */
  readonly attemptTimeoutMs: number;
  /** By default, a call ends only after {@link UNCONNECTED_ATTEMPTS}. */
  readonly maxAttempts: number | undefined;
  /** Called before each pause, with the error of the last attempt. */
  readonly onRetry: ((error: PlantStoreError, pauseMs: number) => void) | null | undefined;
}

/** The first pause without Retry-After, and the longest, in milliseconds. */
export const FIRST_PAUSE_MS = 250;
export const LONGEST_PAUSE_MS = 10_000;

/** After so many attempts in a row without a connection, the address is probably wrong, or the service away for long. */
const UNCONNECTED_ATTEMPTS = 3;

/**
 * Sends a request until it succeeds, a retry cannot help, or its time is over.
 * @param token called before each attempt, whose time starts afterwards; what it throws ends the call
 * @param attempt sends the request once; what it throws ends the call
 * @throws PlantStoreError with the error of the last attempt
 * @throws TimeoutError if there is no token in time
 * @throws the signal's reason if it is aborted
 */
export async function repeat(
  token: () => Promise<string>,
  attempt: (token: string, signal: AbortSignal) => Promise<Outcome>,
  signal: AbortSignal,
  { timeoutMs, attemptTimeoutMs, maxAttempts, onRetry }: Limits,
): Promise<Plant> {
  const deadline = performance.now() + Math.min(timeoutMs, LONGEST_TIMER_MS);
  const timeLeft = () => deadline - performance.now();
  let mayBeStored = false;
  let unconnected = 0;
  for (let attempts = 1; ; attempts += 1) {
    const bearer = await runStoppable([signal], token, timeLeft(), 'token');
    const send = (ofAttempt: AbortSignal) => attempt(bearer, ofAttempt);
    const outcome = await runStoppable([signal], send, Math.min(attemptTimeoutMs, timeLeft())).catch(
      (error) => {
        signal.throwIfAborted();
        return noResponse(error);
      },
    );
    if ('plant' in outcome) return outcome.plant;
    const { failure, pause, isUnconnected } = outcome;
    mayBeStored = leavesInDoubt(failure.error, mayBeStored);
    const error = new PlantStoreError(failure, mayBeStored);
    const pauseMs = jittered(growing(pause * 1000, attempts));
    unconnected = isUnconnected ? unconnected + 1 : 0;
    const isLast = maxAttempts === undefined ? unconnected >= UNCONNECTED_ATTEMPTS : attempts >= maxAttempts;
    if (failure.retryAfter === undefined || isLast || pauseMs >= timeLeft()) throw error;
    // Not awaited, because it must not outlast the call.
    Promise.resolve(onRetry?.(error, pauseMs)).catch(() => undefined);
    await wait(pauseMs, signal);
    // A timer may fire late. A request without time for its response would only leave the result in doubt.
    if (timeLeft() <= 0) throw error;
  }
}

/** Whether the plant may have been stored after an attempt that ended in this error. */
function leavesInDoubt(error: number, before: boolean): boolean {
  // Had one of our attempts stored the plant, the response would be 200.
  if (error === 40901) return false;
  return before || statusOf(error) === 504;
}

function growing(leastMs: number, attempts: number): number {
  const first = Math.max(leastMs, FIRST_PAUSE_MS);
  return Math.min(first * 2 ** (attempts - 1), Math.max(first, LONGEST_PAUSE_MS));
}

/** Adds up to half, so that clients that failed at the same time do not retry at the same time. */
function jittered(ms: number): number {
  return ms * (1 + Math.random() / 2);
}
