import type { Failure } from '../errors.ts';
import { ERRORS } from '../published-errors.ts';
import type { IdForm } from './id-form.ts';
import type { Invocation, Outcome } from './invocation.ts';
import { senderAddress } from './proxy-event.ts';

/**
 * The one log line of each request. Metric filters read its fields as `$.message.…`: rename a field in both places.
 * JSON omits fields without a value, because a kilobyte of log costs more than the function's time. The line never
 * contains the token, its digest, a property of the plant but its id, or the body.
 */
export interface RequestLogLine {
  readonly outcome: Outcome;
  /** The published error number. */
  readonly error?: number;
  /** Milliseconds from the first line of the handler to the response. */
  readonly duration: number;
  /** The name of the access token. */
  readonly token?: string;
  /** The plant's id, as a string: log readers would round a JSON number. */
  readonly id?: string;
  /** How an id of 15 digits or more was written, if not in plain digits: its client may have rounded it. */
  readonly idForm?: IdForm | undefined;
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
  /** The most attempts that one call of the store made, if more than one. */
  readonly attempts?: number | undefined;
  /**
   * The cause of the error, or else why the latest attempt was repeated: the name of an exception, the error code of a socket, or a short
   * name of our own, as for a refused token.
   */
  readonly fault?: string | undefined;
  /** Which limits of DynamoDB throttled the call, if that is the cause and DynamoDB names them. */
  readonly throttlingReason?: string | undefined;
  /** The location of a bug: stack frames without the message, which may quote a value. */
  readonly at?: string;
}

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
export function requestLog({ writeLog, version, traceHeader }: LogSettings) {
  let coldStart: true | undefined = true;
  return (invocation: Invocation, failure: Failure | undefined): void => {
    const { event, requestId, extendedRequestId, startedAt, calls, log } = invocation;
    const fault = failure?.fault ?? calls.fault;
    const line: RequestLogLine = {
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
    coldStart = undefined;
    try {
      writeLog(line);
    } catch {
      // There is no other place to report this, and the client's response must not depend on the log.
    }
  };
}

/** The log fields of a failure. */
function failureFields({ published: { error }, cause }: Failure) {
  const frames = cause instanceof Error ? (cause.stack?.match(/(?<=^ {4})at .*/gm) ?? []) : undefined;
  const at = frames?.slice(0, 3).join(' ');
  return { outcome: error >= 50000 ? 'failed' : 'refused', error, at } as const;
}
