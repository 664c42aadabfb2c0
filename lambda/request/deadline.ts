import type { Context } from 'aws-lambda';
import { LAMBDA_TIMEOUT_MS, STORE_BUDGET_MS, STORE_BUDGET_RESERVE_MS } from '../limits.ts';

/** The end of the time in which a request may call the store. */
export interface Deadline {
  /** Aborted at the deadline. */
  readonly signal: AbortSignal;
  /** Stops the timer. */
  readonly clear: () => void;
}

/** Starts the time budget for all store calls of one request: {@link STORE_BUDGET_MS}, or less if Lambda leaves less. */
export function startDeadline(context: Partial<Context>): Deadline {
  const stop = new AbortController();
  const remaining = context.getRemainingTimeInMillis?.() ?? LAMBDA_TIMEOUT_MS;
  const budget = Math.min(STORE_BUDGET_MS, remaining - STORE_BUDGET_RESERVE_MS);
  if (budget <= 0) stop.abort();
  const timer = setTimeout(() => stop.abort(), Math.max(0, budget));
  return { signal: stop.signal, clear: () => clearTimeout(timer) };
}
