import type { Context } from 'aws-lambda';
import type { BodySource } from './body.ts';
import { LAMBDA_TIMEOUT_MS, STORE_BUDGET_MS, STORE_BUDGET_RESERVE_MS } from './limits.ts';
import type { NewPlant } from './plant.ts';

/** The API Gateway proxy event (payload version 1.0), as far as the service reads it; any of it may be missing. */
export interface ProxyEvent extends BodySource {
  readonly httpMethod?: unknown;
  readonly resource?: unknown;
  readonly path?: unknown;
  readonly requestContext?: { readonly requestId?: unknown } | null;
}

/** One request on its way: the event, its clock, and what the steps have found out so far. */
export interface CreatePlantRequest {
  readonly http: ProxyEvent;
  /** The gateway's request id, which the client has as `x-request-id`. */
  readonly requestId: string;
  /** Aborted when the store's time is up; shared by the token's look-up and the put. */
  readonly signal: AbortSignal;
  /** Stops the clock. @returns the milliseconds that the request took */
  readonly end: () => number;
  tokenName?: string;
  plant?: NewPlant;
  outcome?: 'created' | 'repeated';
}

const NANOSECONDS_PER_MS = 1_000_000n;

/**
 * Starts a request's clock.
 * @param event what the runtime handed over; anything but a proxy event becomes an empty one
 */
export function beginRequest(event: unknown, context: Partial<Context>): CreatePlantRequest {
  // Not `performance`: its first use loads perf_hooks, 50 KB of source that Lambda's Node compiles anew in each process.
  const startedAt = process.hrtime.bigint();
  const http: ProxyEvent = typeof event === 'object' && event !== null ? event : {};
  const stop = new AbortController();
  const remaining = context.getRemainingTimeInMillis?.() ?? LAMBDA_TIMEOUT_MS;
  const budget = Math.min(STORE_BUDGET_MS, remaining - STORE_BUDGET_RESERVE_MS);
  if (budget <= 0) stop.abort();
  const timer = setTimeout(() => stop.abort(), Math.max(0, budget));
  return {
    http,
    requestId: requestIdOf(http, context),
    signal: stop.signal,
    end: () => {
      clearTimeout(timer);
      return Number((process.hrtime.bigint() - startedAt) / NANOSECONDS_PER_MS);
    },
  };
}

/** Some text in any case: an event that no gateway sent may hold anything there, even what cannot become a text. */
function requestIdOf({ requestContext }: ProxyEvent, { awsRequestId }: Partial<Context>): string {
  const requestId = requestContext?.requestId;
  return typeof requestId === 'string' && requestId !== '' ? requestId : (awsRequestId ?? 'unknown');
}
