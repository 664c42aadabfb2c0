import type { Request } from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { LAMBDA_TIMEOUT_MS, STORE_BUDGET_MS, STORE_BUDGET_RESERVE_MS } from '../limits.ts';
import type { StoreCalls } from '../store/store.ts';
import type { IdForm } from './id-form.ts';
import type { ProxyEvent } from './proxy-event.ts';

/** How a request ended. docs/log.md says what each means, and a test compares. */
export const OUTCOMES = [
  // The operation's own.
  'created',
  'repeated',
  'created-or-repeated',
  // Those of every operation. A preflight is a browser's, for CORS.
  'preflight',
  'refused',
  'failed',
] as const;
type Outcome = (typeof OUTCOMES)[number];

/** One invocation of the function, as the steps of an operation get it. */
export interface Invocation {
  readonly event: ProxyEvent;
  /** The gateway's request id, which the client gets as `x-request-id`, and may have chosen. */
  readonly requestId: string;
  /** The gateway's other id of the request, which no caller can choose. */
  readonly extendedRequestId: string | undefined;
  /** When it began, in nanoseconds since a fixed moment in the past. */
  readonly startedAt: bigint;
  readonly calls: StoreCalls;
  /** Stops the timer of the store's time budget, which would abort the signal of its calls. */
  readonly clearDeadline: () => void;
  /** What the steps have found for the line of the log, which has it even if a later step fails. */
  readonly log: { outcome: Outcome; token?: string; id?: string; idForm?: IdForm | undefined };
}

/** The steps of an operation. A step that fails throws a Failure; anything else that is thrown is a bug. */
export type Operation = (invocation: Invocation) => Promise<APIGatewayProxyResult>;

/** An invocation on its way through middy, which calls it `event`. */
export type MiddyRequest = Request<Invocation, APIGatewayProxyResult, unknown>;

/**
 * Reads the ids of a request, and starts its deadline.
 * @param received the runtime's event; anything that is not an object is treated as an empty event
 */
export function startInvocation(received: unknown, context: Partial<Context>): Invocation {
  const event: ProxyEvent = typeof received === 'object' && received !== null ? received : {};
  return {
    // Not `performance`: it loads perf_hooks, 50 KB of source that Lambda's Node compiles in each new process.
    startedAt: process.hrtime.bigint(),
    ...startDeadline(context),
    event,
    requestId: textOf(event.requestContext?.requestId) ?? context.awsRequestId ?? 'unknown',
    extendedRequestId: textOf(event.requestContext?.extendedRequestId),
    log: { outcome: 'failed' },
  };
}

/** In an event that no gateway sent, an id may be a value that cannot be converted to a string. */
function textOf(id: unknown): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Starts the time budget for all store calls of one request: {@link STORE_BUDGET_MS}, or less if Lambda leaves less. */
function startDeadline(context: Partial<Context>): Pick<Invocation, 'calls' | 'clearDeadline'> {
  const stop = new AbortController();
  const remaining = context.getRemainingTimeInMillis?.() ?? LAMBDA_TIMEOUT_MS;
  const budget = Math.min(STORE_BUDGET_MS, remaining - STORE_BUDGET_RESERVE_MS);
  if (budget <= 0) stop.abort();
  const timer = setTimeout(() => stop.abort(), Math.max(0, budget));
  return { calls: { signal: stop.signal }, clearDeadline: () => clearTimeout(timer) };
}
