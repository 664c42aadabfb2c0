import { setTimeout as pause } from 'node:timers/promises';
import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  DynamoDBServiceException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isThrottlingError } from '@smithy/core/retry';
import type { RetryStrategy, SdkError } from '@smithy/types';
import { ENVIRONMENT } from '../environment.ts';
import { Failure } from '../errors.ts';
import { MAX_BACKOFF_MS, STORE_ATTEMPTS } from '../limits.ts';
import { BufferingHttpHandler, ConnectionError } from './buffering-http-handler.ts';

/**
 * Passes on each attempt's own error. At the deadline the SDK's strategies replace it with an AbortError, which does not
 * say whether anything was sent.
 */
const ONE_ATTEMPT: RetryStrategy = { retry: (next, args) => next(args) };

/**
 * Steps of the SDK that are not needed: there is no logger, DynamoDB never calls the function, and the HTTP handler sends
 * a constant User-Agent (building one for each request takes 6 % of its CPU time).
 */
const UNUSED_MIDDLEWARE = ['loggerMiddleware', 'recursionDetectionMiddleware', 'getUserAgentMiddleware'];

/**
 * The client for DynamoDB, at the Region's endpoint or the one that the environment names. It makes one attempt at a time;
 * `callStore` decides whether to make another.
 */
export function documentClient(environment: NodeJS.ProcessEnv = process.env): DynamoDBDocumentClient {
  const endpoint = environment[ENVIRONMENT.endpoint];
  const client = new DynamoDBClient({
    // With either flag, the SDK refuses an endpoint: "FIPS and custom endpoint are not supported".
    ...(endpoint ? { endpoint, useFipsEndpoint: false, useDualstackEndpoint: false } : {}),
    // The type asks for two more methods, which only the SDK's runtime extensions call.
    requestHandler: new BufferingHttpHandler() as DynamoDBClientConfig['requestHandler'],
    retryStrategy: ONE_ATTEMPT,
  });
  signOnce(client);
  for (const name of UNUSED_MIDDLEWARE) client.middlewareStack.remove(name);
  // The default throws at a number that a double cannot hold, which somebody may have written by hand.
  return DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: Number } });
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

/** The published error for one failed attempt. After `NO_RESPONSE` the store may have executed the call. */
type Fault = 'UNAVAILABLE' | 'TOO_MANY_REQUESTS' | 'SERVICE_FAULT' | 'NO_RESPONSE';

/**
 * Calls the store, with up to {@link STORE_ATTEMPTS} attempts and short pauses where another attempt can help. The SDK's
 * retries are off: they do not remember whether an earlier attempt may have written, and stop after about twenty faults.
 * @example await callStore('write', () => client.send(put, { abortSignal: signal }), signal)
 * @param kind whether the call writes, so that a lost response leaves the outcome open
 * @param attempt makes one attempt; must be safe to repeat
 * @param signal ends the call at the request's deadline; then the last attempt's fault decides
 * @throws Failure 50301, 42901 or 50001 by the last fault, and 50401 when any attempt may have written
 */
export async function callStore<T>(
  kind: 'read' | 'write',
  attempt: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  let mayBeWritten = false;
  let fault: Fault = 'UNAVAILABLE';
  let name = 'deadline';
  for (let count = 1; count <= STORE_ATTEMPTS && !signal.aborted; count += 1) {
    try {
      return await attempt();
    } catch (thrown) {
      // Everything that the SDK and our HTTP handler throw is an Error.
      const error = thrown as Error;
      fault = faultOf(error);
      name = error instanceof ConnectionError ? error.message : error.name;
      mayBeWritten ||= kind === 'write' && fault === 'NO_RESPONSE';
      // Signed with the corrected time, the next attempt may succeed.
      if (fault === 'SERVICE_FAULT' && !metadataOf(error)?.clockSkewCorrected) break;
    }
    if (count < STORE_ATTEMPTS) await backOff(count, signal);
  }
  if (mayBeWritten) throw new Failure('NO_RESPONSE', { fault: name });
  throw new Failure(fault === 'NO_RESPONSE' ? 'UNAVAILABLE' : fault, { fault: name });
}

function faultOf(error: Error): Fault {
  if (error instanceof ConnectionError) return error.isSent ? 'NO_RESPONSE' : 'UNAVAILABLE';
  const status = metadataOf(error)?.httpStatusCode;
  // Nothing was sent: no credentials, or a bug.
  if (status === undefined) return 'SERVICE_FAULT';
  if (!(error instanceof DynamoDBServiceException)) return 'NO_RESPONSE';
  // The SDK's list lacks a conflict with another's transaction, which passes.
  if (isThrottlingError(error as SdkError) || error.name === 'TransactionConflictException')
    return 'TOO_MANY_REQUESTS';
  // The SDK's name for a response without an error name, such as a proxy's.
  if (error.name === 'Unknown') return 'NO_RESPONSE';
  return status >= 400 && status < 500 ? 'SERVICE_FAULT' : 'NO_RESPONSE';
}

/**
 * What the SDK records about a response: its status, and whether its date showed this machine's clock to be over four
 * minutes off. The SDK then corrects the time of later signatures.
 */
function metadataOf(error: Error): { httpStatusCode?: number; clockSkewCorrected?: boolean } | undefined {
  return (error as Partial<DynamoDBServiceException>).$metadata;
}

/** Full jitter that grows with each attempt. The store's `Retry-After` is ignored, because the client is waiting. */
async function backOff(count: number, signal: AbortSignal): Promise<void> {
  const ceiling = (MAX_BACKOFF_MS * count) / (STORE_ATTEMPTS - 1);
  await pause(Math.random() * ceiling, undefined, { signal }).catch(() => undefined);
}
