import { PlainError } from '../../terminal/plain-error.ts';

/** The part of the record `platform.report` that is used (Lambda Developer Guide, "Telemetry API Event schema reference"). */
interface PlatformReport {
  readonly type: 'platform.report';
  readonly record: { readonly metrics: { readonly durationMs: number; readonly initDurationMs?: number } };
}

/** The times of a request, in milliseconds. */
export interface Report {
  /** Of INIT; undefined if the process was already there. */
  readonly initMs: number | undefined;
  /** Of the request itself. */
  readonly requestMs: number;
}

/**
 * Reads Lambda's report on a request from the end of the function's log.
 * @param tail the last 4 KB of the log, in Base64 (Lambda API Reference, Invoke, `X-Amz-Log-Result`)
 * @throws PlainError if there is no report
 */
export function readReport(tail: string): Report {
  const lines = Buffer.from(tail, 'base64').toString().split('\n');
  for (const line of lines.reverse()) {
    const event = parsed(line);
    if (event?.type !== 'platform.report') continue;
    const { durationMs, initDurationMs } = (event as PlatformReport).record.metrics;
    return { initMs: initDurationMs, requestMs: durationMs };
  }
  throw new PlainError(`The log of a request has no platform.report, only: ${lines.reverse().join(' ')}`);
}

/** The event of a line; undefined if it is not JSON, such as the rest of a line that begins earlier. */
function parsed(line: string): { readonly type?: string } | undefined {
  try {
    return JSON.parse(line) ?? undefined;
  } catch {
    return undefined;
  }
}
