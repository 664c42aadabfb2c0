import type { Context } from 'aws-lambda';
import type { Failure } from '../errors.ts';
import { LAMBDA_TIMEOUT_MS, STORE_BUDGET_MS, STORE_BUDGET_RESERVE_MS } from '../limits.ts';
import type { NewPlant } from '../plant.ts';
import type { ProxyEvent } from './proxy-event.ts';

/** One request: the event, its deadline, and the results of the steps so far. */
export interface CreatePlantRequest {
  readonly http: ProxyEvent;
  /** The gateway's request id, which the client gets as `x-request-id`, and may have chosen. */
  readonly requestId: string;
  /** The gateway's other id of the request, which no caller can choose. */
  readonly extendedRequestId: string | undefined;
  /** Aborted when the store's time budget is used up. The token lookup and the put share it. */
  readonly signal: AbortSignal;
  /** Stops the deadline's timer. @returns the duration of the request in milliseconds */
  readonly end: () => number;
  tokenName?: string;
  plant?: NewPlant;
  outcome?: 'created' | 'repeated' | 'preflight';
}

const NANOSECONDS_PER_MS = 1_000_000n;

/**
 * Starts a request and its deadline.
 * @param event the runtime's event; anything that is not an object is treated as an empty event
 */
export function beginRequest(event: unknown, context: Partial<Context>): CreatePlantRequest {
  // Not `performance`: it loads perf_hooks, 50 KB of source that Lambda's Node compiles in each new process.
  const startedAt = process.hrtime.bigint();
  const http: ProxyEvent = typeof event === 'object' && event !== null ? event : {};
  const stop = new AbortController();
  const remaining = context.getRemainingTimeInMillis?.() ?? LAMBDA_TIMEOUT_MS;
  const budget = Math.min(STORE_BUDGET_MS, remaining - STORE_BUDGET_RESERVE_MS);
  if (budget <= 0) stop.abort();
  const timer = setTimeout(() => stop.abort(), Math.max(0, budget));
  return {
    http,
    requestId: textOf(http.requestContext?.requestId) ?? context.awsRequestId ?? 'unknown',
    extendedRequestId: textOf(http.requestContext?.extendedRequestId),
    signal: stop.signal,
    end: () => {
      clearTimeout(timer);
      return Number((process.hrtime.bigint() - startedAt) / NANOSECONDS_PER_MS);
    },
  };
}

/** In an event that no gateway sent, an id may be a value that cannot be converted to a string. */
function textOf(id: unknown): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * The one log line of each request. Metric filters read its fields as `$.message.…`: rename a field in both places.
 * Fields without a value are omitted, because a kilobyte of log costs more than the function's time. The line never
 * contains the token, its digest, the plant's name or tag, or the body.
 */
export interface RequestLogLine {
  /** `refused`: the client's fault. `failed`: the service's fault (5xxxx). `preflight`: a browser's CORS preflight. */
  readonly outcome: 'created' | 'repeated' | 'preflight' | 'refused' | 'failed';
  /** The published error number. */
  readonly error?: number;
  /** Milliseconds from the first line of the handler to the response. */
  readonly duration: number;
  /** The name of the access token. */
  readonly token?: string;
  /** The plant's id, as a string: log readers would round a JSON number. */
  readonly id?: string;
  /** The gateway's request id, which the client gets as `x-request-id`, and may have chosen. */
  readonly request: string;
  /**
   * The gateway's other id of the request, as in its own line. An API caller can send the first id in a header, but not this one
   * (API Gateway Developer Guide, "Access logging for REST APIs").
   */
  readonly extendedRequestId?: string;
  /** The version of the function. */
  readonly version?: string;
  /** The sender's address, if the error is 40102: to find who sends refused tokens, without the gateway's log. */
  readonly address?: string;
  /** The id of the X-Ray trace, if the request was sampled. */
  readonly trace?: string;
  /** Present only on the first request of a process. */
  readonly coldStart?: true;
  /** The cause: the name of an exception, the error code of a socket, or a short name of our own, as for a refused token. */
  readonly fault?: string;
  /** The location of a bug: stack frames without the message, which may quote a value. */
  readonly at?: string;
}

/** Writes one line as an object, which Lambda's JSON log format wraps as `{timestamp, level, requestId, message}`. */
export type WriteLog = (line: RequestLogLine) => void;

/** A trace id, and the decision that the request is sampled (X-Ray Developer Guide, "Tracing header"). */
const SAMPLED = /(?:^|;)Root=(1-[\da-f]{8}-[\da-f]{24});(?:.*;)?Sampled=1(?:;|$)/;

/**
 * Reads the tracing header of a request, whose id a client may have chosen.
 * @returns the id of the trace; undefined if the request is not sampled, so that there is no trace
 */
export function sampledTrace(header: string | undefined): string | undefined {
  return header === undefined ? undefined : SAMPLED.exec(header)?.[1];
}

/** The fields that say how a request ended. */
export type LogResult = Pick<RequestLogLine, 'outcome' | 'error' | 'fault' | 'at'>;

/** The log fields of a failure. */
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
  const lines = bug.stack?.match(/^ {4}at .*/gm) ?? [];
  return lines
    .slice(0, 3)
    .map((line) => line.trim())
    .join(' ');
}
