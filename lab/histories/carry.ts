import type { APIGatewayProxyResult } from 'aws-lambda';
import { gatewayResponse } from '../../infra/gateway-responses.ts';
import type { Clock } from '../../test/support/clock.ts';
import { plantEvent } from '../../test/support/test-service.ts';
import type { Attempt } from './check.ts';
import type { Fleet } from './fleet.ts';
import type { RequestFate } from './plan.ts';

/** The timeout of the function, in milliseconds. */
const FUNCTION_MS = 6_000;

/**
 * The path of an HTTP request from a client through the gateway to a copy of the function, and back. It continues after its
 * client has given up.
 * @param attempt gets the response as its client sees it
 * @throws what `fetch` throws
 */
export function carry(attempt: Attempt, init: RequestInit, fate: RequestFate, clock: Clock, fleet: Fleet) {
  const signal = init.signal as AbortSignal;
  return new Promise<Response>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    const end = (number: Attempt['number']) =>
      signal.aborted || Object.assign(attempt, { number, endedAt: clock.now });
    const deliver = (response: APIGatewayProxyResult) => {
      end(response.statusCode === 200 ? 200 : JSON.parse(response.body).error);
      resolve(responseOf(response));
    };
    serve(attempt, init, fate, clock, fleet).then(deliver, (error) => {
      if (error.cause?.syscall === 'connect') end('refused');
      reject(error);
    });
  });
}

async function serve(
  attempt: Attempt,
  { headers, body }: RequestInit,
  { end, copy: index, travels, returns }: RequestFate,
  clock: Clock,
  fleet: Fleet,
): Promise<APIGatewayProxyResult> {
  const sleep = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(() => resolve(), ms));
  await sleep(travels);
  if (end === 'refuse') throw failure('ECONNREFUSED', 'connect');
  if (end === 'throttle') return gatewayResponse('THROTTLED', 'request');
  const copy = fleet.idle(index);
  copy.isBusy = true;
  const startedAt = clock.now;
  const authorization = (headers as Record<string, string>).authorization ?? '';
  const event = plantEvent(authorization.replace('Bearer ', ''), body as string);
  const responded = copy
    .handler(event, { getRemainingTimeInMillis: () => startedAt + FUNCTION_MS - clock.now })
    .then((response) => {
      if (!copy.isDead) attempt.tookMs = clock.now - startedAt;
      copy.isBusy = false;
      return response;
    });
  if (end === 'crash') {
    const crashed = sleep(returns).then(() => {
      copy.isDead = true;
      return gatewayResponse('DEFAULT_5XX', 'request');
    });
    return Promise.race([responded, crashed]);
  }
  const response = await responded;
  await sleep(returns);
  if (end === 'response') return response;
  throw failure('ECONNRESET', 'read');
}

/** An error of Node's `fetch`. */
function failure(code: string, syscall: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, syscall }) });
}

/** What the client reads of a response. Not a `Response`: its streams take time. */
function responseOf({ statusCode: status, headers, body }: APIGatewayProxyResult): Response {
  const read = async () => new TextEncoder().encode(body).buffer;
  return { status, headers: new Headers(headers as Record<string, string>), arrayBuffer: read } as Response;
}
