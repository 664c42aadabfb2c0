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
  readonly maxAttempts: number;
  /** The most attempts in a row in which no connection can be made. */
  readonly maxUnconnected: number;
  /** Called before each pause, with the error of the last attempt. */
  readonly onRetry: ((error: PlantStoreError, pauseMs: number) => void | Promise<void>) | undefined;
}

/** The first pause without Retry-After, and the longest, in milliseconds. */
export const FIRST_PAUSE_MS = 250;
export const LONGEST_PAUSE_MS = 10_000;

/**
 * Sends a request until it succeeds, a retry cannot help, or its time is over.
 * @param attempt sends the request once; an error that it throws ends the call
 * @throws PlantStoreError with the error of the last attempt
 * @throws the signal's reason if it is aborted
 */
export async function repeat(
  attempt: (signal: AbortSignal) => Promise<Outcome>,
  signal: AbortSignal,
  { timeoutMs, attemptTimeoutMs, maxAttempts, maxUnconnected, onRetry }: Limits,
): Promise<Plant> {
  const deadline = performance.now() + Math.min(timeoutMs, LONGEST_TIMER_MS);
  let mayBeStored = false;
  let unconnected = 0;
  for (let attempts = 1; ; attempts += 1) {
    const timeLeft = deadline - performance.now();
    const ms = Math.min(attemptTimeoutMs, timeLeft);
    const outcome = await runStoppable([signal], attempt, ms).catch((error) => {
      if (signal.aborted || Object(error).name !== 'TimeoutError') throw error;
      return noResponse(error);
    });
    if ('plant' in outcome) return outcome.plant;
    const { failure, pause, isUnconnected } = outcome;
    mayBeStored = leavesInDoubt(failure.error, mayBeStored);
    const error = new PlantStoreError(failure, mayBeStored);
    const pauseMs = jittered(growing(pause * 1000, attempts));
    unconnected = isUnconnected ? unconnected + 1 : 0;
    const isLast =
      failure.retryAfter === undefined || attempts >= maxAttempts || unconnected >= maxUnconnected;
    const isTooLate = () => performance.now() + pauseMs >= deadline;
    if (isLast || isTooLate()) throw error;
    await onRetry?.(error, pauseMs);
    // Checked again, because `onRetry` may take a long time.
    if (isTooLate()) throw error;
    await wait(pauseMs, signal);
    // A timer may fire late. A request without time for its response would only leave the result in doubt.
    if (performance.now() >= deadline) throw error;
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
