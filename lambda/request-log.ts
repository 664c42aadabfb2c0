import type { PlantStoreError } from './errors.ts';

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
export function failureFields(failure: PlantStoreError): LogResult {
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
