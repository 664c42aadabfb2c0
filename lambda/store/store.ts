import { setTimeout as pause } from 'node:timers/promises';
import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  DynamoDBServiceException,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isThrottlingError } from '@smithy/core/retry';
import type { DeserializeMiddleware, RetryStrategy } from '@smithy/types';
import { ENVIRONMENT } from '../environment.ts';
import { Failure } from '../errors.ts';
import type { Fault, ForeignName } from '../faults.ts';
import { MAX_PAUSE_MS, MAX_THROTTLE_PAUSE_MS, STORE_ATTEMPTS } from '../limits.ts';
import { BufferingHttpHandler, ConnectionError } from './buffering-http-handler.ts';

/**
 * Passes on each attempt's own error. At the deadline the SDK's strategies replace it with an AbortError, which does not
 * say whether anything was sent.
 */
const ONE_ATTEMPT: RetryStrategy = { retry: (next, args) => next(args) };

/**
 * Lets nothing that is thrown once a request is signed look as if nothing had been sent: lib-dynamodb cannot read an attribute
 * of an unknown type, and its error does not tell of a response. Missing credentials are thrown earlier.
 */
const ONCE_SIGNED: DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => async (args) => {
  try {
    return await next(args);
  } catch (error) {
    if (error instanceof ConnectionError || metadataOf(error as Error)) throw error;
    throw new ConnectionError('damaged response', true, error as Error);
  }
};

/**
 * Steps of the SDK that are not needed: there is no logger, DynamoDB never calls the function, and the HTTP handler sends
 * a constant User-Agent (building one for each request takes 6 % of its CPU time).
 */
const UNUSED_MIDDLEWARE = ['loggerMiddleware', 'recursionDetectionMiddleware', 'getUserAgentMiddleware'];

/**
 * The client for DynamoDB, at the Region's endpoint or the one that the environment names. It makes one attempt at a time;
 * `callStore` decides whether to make another.
 * @param settings what is not as the SDK finds it in its process
 */
export function documentClient(
  environment: NodeJS.ProcessEnv,
  settings: DynamoDBClientConfig = {},
): DynamoDBDocumentClient {
  const endpoint = environment[ENVIRONMENT.endpoint];
  const client = new DynamoDBClient({
    // With either flag, the SDK refuses an endpoint: "FIPS and custom endpoint are not supported".
    ...(endpoint ? { endpoint, useFipsEndpoint: false, useDualstackEndpoint: false } : {}),
    ...settings,
    // The type asks for two more methods, which only the SDK's runtime extensions call.
    requestHandler: new BufferingHttpHandler() as DynamoDBClientConfig['requestHandler'],
    retryStrategy: ONE_ATTEMPT,
  });
  signOnce(client);
  for (const name of UNUSED_MIDDLEWARE) client.middlewareStack.remove(name);
  client.middlewareStack.add(ONCE_SIGNED, { step: 'deserialize', priority: 'high' });
  // No double, which would change an int64, and no text. The default throws at a number that a double cannot hold.
  const wrapNumbers = (digits: string) => ({ digits });
  // An object is of a class, as lib-dynamodb sees it, if it has a property called `constructor`.
  // A number is a double in its shortest form, also beyond 2^53: an int64 is a bigint.
  const marshallOptions = { convertClassInstanceToMap: true, allowImpreciseNumbers: true };
  return DynamoDBDocumentClient.from(client, { marshallOptions, unmarshallOptions: { wrapNumbers } });
}

/**
 * Makes the SDK reuse its signer. By default it builds one from the whole configuration for each request. Region and
 * credentials do not change during the lifetime of a Lambda process.
 */
function signOnce({ config }: DynamoDBClient): void {
  const makeSigner = config.signer;
  let signer: ReturnType<typeof makeSigner> | undefined;
  config.signer = (scheme) => {
    signer ??= makeSigner(scheme);
    return signer;
  };
}

/**
 * Conflicts with another transaction, or with a write in another Region's replica: they pass, as throttling does, but the
 * SDK's list lacks them.
 */
const CONFLICTS = ['TransactionConflictException', 'ReplicatedWriteConflictException'];

/**
 * The SDK's name for a response without an error name, such as a proxy's, and the names with which AWS says that it waited in
 * vain for the whole request.
 */
const NO_REFUSAL = ['Unknown', 'RequestTimeout', 'RequestTimeoutException'];

/** What all calls of the store for one request share. */
export interface StoreCalls {
  /** Ends them: aborted when the request's time budget for them is used up. */
  readonly signal: AbortSignal;
  /** The most attempts that one of them has made; absent if each has made at most one. */
  attempts?: number;
  /** Why the latest attempt failed that did. */
  fault?: Fault | ForeignName;
  /** Which limits of DynamoDB throttled that attempt; absent if none did, or the store does not say. */
  throttlingReason?: string | undefined;
}

/** The published error for one failed attempt. After `NO_RESPONSE` the store may have executed the call. */
type StoreError = 'UNAVAILABLE' | 'TOO_MANY_REQUESTS' | 'SERVICE_FAULT' | 'NO_RESPONSE';

/**
 * Calls the store, with up to {@link STORE_ATTEMPTS} attempts and short pauses between them. Every failed attempt is repeated,
 * whatever it was: DynamoDB refuses for a moment signatures ("expired" after the process was frozen) and credentials that are
 * good. The SDK's retries are off: they do not remember whether an earlier attempt may have written, and stop after about
 * twenty faults.
 * @example await callStore('write', () => client.send(put, { abortSignal: calls.signal }), calls)
 * @param kind whether the call writes, so that a lost response leaves the outcome open
 * @param attempt makes one attempt, and gets whether an earlier one may have written; must be safe to repeat
 * @param calls its signal ends the call at the request's deadline; then the last attempt's error decides. Gets what was repeated, for the log
 * @throws Failure 50301, 42901 or 50001 by the last attempt's, and 50401 when any attempt may have written
 */
export async function callStore<T>(
  kind: 'read' | 'write',
  attempt: (mayBeWritten: boolean) => Promise<T>,
  calls: StoreCalls,
): Promise<T> {
  const { signal } = calls;
  let mayBeWritten = false;
  let published: StoreError = 'UNAVAILABLE';
  let fault: Fault | ForeignName = 'deadline';
  for (let count = 1; count <= STORE_ATTEMPTS && !signal.aborted; count += 1) {
    if (count > 1) calls.attempts = Math.max(count, calls.attempts ?? 0);
    try {
      return await attempt(mayBeWritten);
    } catch (thrown) {
      // Everything that the SDK and our HTTP handler throw is an Error.
      const error = thrown as Error;
      published = publishedFor(error);
      fault = error instanceof ConnectionError ? error.fault : (error.name as ForeignName);
      Object.assign(calls, { fault, throttlingReason: throttlingReasonOf(error) });
      mayBeWritten ||= kind === 'write' && published === 'NO_RESPONSE';
    }
    if (count < STORE_ATTEMPTS) await pauseAfter(published, count, signal);
  }
  if (mayBeWritten) throw new Failure('NO_RESPONSE', { fault });
  throw new Failure(published === 'NO_RESPONSE' ? 'UNAVAILABLE' : published, { fault });
}

/** A throttle is told by the status 429 first: whoever answered with it may have named nothing, or nothing of DynamoDB's. */
function publishedFor(error: Error): StoreError {
  if (error instanceof ConnectionError) return error.isSent ? 'NO_RESPONSE' : 'UNAVAILABLE';
  const status = metadataOf(error)?.httpStatusCode;
  // Nothing was sent: no credentials, or a bug.
  if (status === undefined) return 'SERVICE_FAULT';
  if (isThrottlingError(error as Parameters<typeof isThrottlingError>[0]) || CONFLICTS.includes(error.name))
    return 'TOO_MANY_REQUESTS';
  const isNamed = error instanceof DynamoDBServiceException && !NO_REFUSAL.includes(error.name);
  return isNamed && status >= 400 && status < 500 && status !== 408 ? 'SERVICE_FAULT' : 'NO_RESPONSE';
}

/**
 * The names of the limits that throttled a call, such as `TableWriteKeyRangeThroughputExceeded`, without the ARN of the table. The list
 * has another name in `ThrottlingException`, and the SDK passes on whatever is in its place.
 */
function throttlingReasonOf(error: Error): string | undefined {
  const { ThrottlingReasons, throttlingReasons = ThrottlingReasons } = error as {
    ThrottlingReasons?: unknown;
    throttlingReasons?: unknown;
  };
  if (!Array.isArray(throttlingReasons)) return undefined;
  const reasons = throttlingReasons
    .map((each) => each?.reason)
    .filter((reason) => typeof reason === 'string');
  return reasons.join(' ') || undefined;
}

/** What the SDK records about a response. */
function metadataOf(error: Error): { httpStatusCode?: number } | undefined {
  return (error as Partial<DynamoDBServiceException>).$metadata;
}

/** Full jitter that grows with each attempt. The store's `Retry-After` is ignored, because the client is waiting. */
async function pauseAfter(failed: StoreError, count: number, signal: AbortSignal): Promise<void> {
  const longest = failed === 'TOO_MANY_REQUESTS' ? MAX_THROTTLE_PAUSE_MS : MAX_PAUSE_MS;
  const ceiling = (longest * count) / (STORE_ATTEMPTS - 1);
  await pause(Math.random() * ceiling, undefined, { signal }).catch(() => undefined);
}
