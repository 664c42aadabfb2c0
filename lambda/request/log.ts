import type { Failure } from '../errors.ts';
import { ERRORS } from '../published-errors.ts';
import type { Invocation } from './invocation.ts';
import { senderAddress } from './proxy-event.ts';

/**
 * The one log line of each request; docs/log.md says what each field means, and a test compares. Metric filters read them as
 * `$.message.…`: rename a field in all places. JSON omits those without a value, because a kilobyte of log costs more than the function's
 * time. The line never contains the token, its digest, a property of the plant but its id, or the body.
 */
export type RequestLogLine = ReturnType<typeof lineOf>;

/** How and with what lines are written. */
export interface LogSettings {
  /** Writes one line as an object, which Lambda's JSON log format wraps as `{timestamp, level, requestId, message}`. */
  readonly writeLog: (line: RequestLogLine) => void;
  /** The function's version. */
  readonly version?: string;
  /** Reads the tracing header of the current request. */
  readonly traceHeader?: () => string | undefined;
}

/**
 * A trace id, which a client may have chosen, and the decision that the request is sampled, without which there is no trace (X-Ray
 * Developer Guide, "Tracing header").
 */
const SAMPLED = /(?:^|;)Root=(1-[\da-f]{8}-[\da-f]{24});(?:.*;)?Sampled=1(?:;|$)/;

/** Makes the function that logs one line for each request. It never throws: a log line is worth less than a response. */
export function requestLog(settings: LogSettings) {
  let coldStart: true | undefined = true;
  return (invocation: Invocation, failure: Failure | undefined): void => {
    const line = lineOf(invocation, failure, settings, coldStart);
    coldStart = undefined;
    try {
      settings.writeLog(line);
    } catch {
      // There is no other place to report this, and the client's response must not depend on the log.
    }
  };
}

function lineOf(
  { event, requestId, extendedRequestId, startedAt, calls, log }: Invocation,
  failure: Failure | undefined,
  { version, traceHeader }: LogSettings,
  coldStart: true | undefined,
) {
  const fault = failure?.fault ?? calls.fault;
  return {
    ...log,
    ...(failure && failureFields(failure)),
    attempts: calls.attempts,
    fault,
    throttlingReason: fault === calls.fault ? calls.throttlingReason : undefined,
    // Nanoseconds.
    duration: Number((process.hrtime.bigint() - startedAt) / 1_000_000n),
    request: requestId,
    extendedRequestId,
    version,
    address: failure?.published === ERRORS.INVALID_TOKEN ? senderAddress(event) : undefined,
    trace: SAMPLED.exec(traceHeader?.() ?? '')?.[1],
    coldStart,
  };
}

/** The log fields of a failure. */
function failureFields({ published: { error }, cause }: Failure) {
  const frames = cause instanceof Error ? (cause.stack?.match(/(?<=^ {4})at .*/gm) ?? []) : undefined;
  const at = frames?.slice(0, 3).join(' ');
  return { outcome: error >= 50000 ? 'failed' : 'refused', error, at } as const;
}
