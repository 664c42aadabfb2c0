import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { NoAnswerError, UnreachableError } from './buffering-http-handler.ts';
import { type ErrorName, PlantStoreError } from './errors.ts';
import { MAX_BACKOFF_MS, STORE_ATTEMPTS } from './limits.ts';

/** What can go wrong with an attempt; `unknown` is the only one after which something may have been written. */
type Fault = 'unreachable' | 'throttled' | 'ours' | 'unknown';

/** Every name under which DynamoDB says "not so fast" (DynamoDB developer guide, "Error handling"). */
const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'LimitExceededException',
  'TooManyRequestsException',
]);

/** What the client gets when the last attempt of a call that writes nothing ended so. */
const ANSWERS: Record<Fault, ErrorName> = {
  unreachable: 'UNAVAILABLE',
  throttled: 'TOO_MANY_REQUESTS',
  ours: 'SERVICE_FAULT',
  unknown: 'UNAVAILABLE',
};

/**
 * Calls the store, and calls it again when that can help: up to {@link STORE_ATTEMPTS} attempts with short pauses.
 * The SDK's own retries stay off: they would forget whether an earlier attempt may have been written, and run dry
 * after a score of faults.
 * @param kind whether the call writes, so that a lost answer leaves the outcome open
 * @param attempt makes one attempt; must be safe to repeat
 * @param signal ends the call at the request's deadline; then the last attempt's fault decides
 * @throws PlantStoreError 50301, 42901 or 50001 by the last fault, and 50401 when any attempt may have written
 */
export async function callStore<T>(
  kind: 'read' | 'write',
  attempt: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  let mayBeWritten = false;
  let last = { fault: 'unreachable' as Fault, name: 'deadline' };
  for (let count = 1; count <= STORE_ATTEMPTS && !signal.aborted; count += 1) {
    try {
      return await attempt();
    } catch (thrown) {
      // Everything that the SDK and our HTTP handler throw is an Error.
      const error = thrown as Error;
      last = { fault: faultOf(error), name: nameOf(error) };
      mayBeWritten ||= kind === 'write' && last.fault === 'unknown';
      if (last.fault === 'ours') break;
    }
    if (count < STORE_ATTEMPTS) await backOff(count, signal);
  }
  throw new PlantStoreError(mayBeWritten ? 'NO_ANSWER' : ANSWERS[last.fault], { fault: last.name });
}

function faultOf(error: Error): Fault {
  if (error instanceof UnreachableError) return 'unreachable';
  if (error instanceof NoAnswerError) return 'unknown';
  const status = (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata
    ?.httpStatusCode;
  // Nothing was sent: no credentials, or a bug of ours.
  if (status === undefined) return 'ours';
  if (!(error instanceof DynamoDBServiceException)) return 'unknown';
  if (THROTTLES.has(error.name)) return 'throttled';
  // The SDK's name for an answer that names no error of its own, such as a proxy's: it tells nothing.
  if (error.name === 'Unknown') return 'unknown';
  return status >= 400 && status < 500 ? 'ours' : 'unknown';
}

/** A short name for the log. The two failures of our own HTTP handler carry theirs as the message. */
function nameOf(error: Error): string {
  return error instanceof UnreachableError || error instanceof NoAnswerError ? error.message : error.name;
}

/** Full jitter, growing with each attempt; no hint of the store's is obeyed, for the client is waiting. */
async function backOff(count: number, signal: AbortSignal): Promise<void> {
  const ceiling = (MAX_BACKOFF_MS * count) / (STORE_ATTEMPTS - 1);
  await pause(Math.random() * ceiling, undefined, { signal }).catch(() => undefined);
}
