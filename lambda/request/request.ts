import type { Context } from 'aws-lambda';
import type { Failure } from '../answer/errors.ts';
import { LAMBDA_TIMEOUT_MS, STORE_BUDGET_MS, STORE_BUDGET_RESERVE_MS } from '../limits.ts';
import type { NewPlant } from './plant.ts';
import type { ProxyEvent } from './proxy-event.ts';

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

/**
 * The one line that each request logs; metric filters read its fields as `$.message.…`, so a field is renamed there
 * or nowhere. Absent fields are left out, for a kilobyte of log costs more than the function's time. It never holds
 * the token, its digest, the plant's name or tag, or the body.
 */
export interface RequestLogLine {
  /** `refused`: the client's to mend. `failed`: ours (5xxxx). */
  readonly outcome: 'created' | 'repeated' | 'refused' | 'failed';
  /** The published error number. */
  readonly error?: number;
  /** Milliseconds from the first line of the handler to the answer. */
  readonly duration: number;
  /** The name of the access token. */
  readonly token?: string;
  /** The plant's id, as a string: a JSON number would lose digits in whatever reads the log. */
  readonly id?: string;
  /** The gateway's request id, which the client has as `x-request-id`. */
  readonly request: string;
  /** The version of the function. */
  readonly version?: string;
  /** Present on the first request of a process only. */
  readonly coldStart?: true;
  /** What went wrong underneath: an exception's name or a socket's error code. */
  readonly fault?: string;
  /** Where a bug is: the stack's frames without the message, which may quote a value. */
  readonly at?: string;
}

/** Writes one line as an object, which Lambda's JSON log format wraps as `{timestamp, level, requestId, message}`. */
export type WriteLog = (line: RequestLogLine) => void;

/** How a request ended, as the line says it. */
export type LogResult = Pick<RequestLogLine, 'outcome' | 'error' | 'fault' | 'at'>;

/** What the line says of a failure. */
export function failureFields(failure: Failure): LogResult {
  const { error } = failure.published;
  const bug = failure.cause instanceof Error ? failure.cause : undefined;
  return {
    outcome: error >= 50000 ? 'failed' : 'refused',
    error,
    ...(failure.fault === undefined ? {} : { fault: failure.fault }),
    ...(bug === undefined ? {} : { at: frames(bug) }),
  };
}

function frames(bug: Error): string {
  const lines = bug.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? [];
  return lines
    .slice(0, 3)
    .map((line) => line.trim())
    .join(' ');
}
