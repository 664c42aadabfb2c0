import {
  type Behavior,
  type Exchange,
  exception,
  hang,
  LIMITS,
  type RealResponse,
  type StoreResponse,
  sendPart,
} from '../support/store-behaviors.ts';

/** A fault of the store or of the connection to it. */
export interface Fault {
  readonly name: string;
  /** Decides the error number (matrix.test.ts). */
  readonly kind: 'unreachable' | 'throttled' | 'ours' | 'unknown';
  readonly behavior: Behavior;
}

/** Errors as DynamoDB gives them, by their names. */
const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, exception(name)]));

/** A response that did not come from DynamoDB. */
function foreign(status: number, type: string, body: string): StoreResponse {
  return { status, headers: { 'content-type': type }, body };
}

/** Forwards the request to the store, and changes its response. */
function after(change: (response: RealResponse) => StoreResponse): Behavior {
  return async ({ forward, respond }) => respond(change(await forward()));
}

/** The sign-in page of a public network's captive portal. */
const HTML = '<html><head><title>Sign in</title></head><body>Welcome to the network</body></html>';
const NOISE = Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 73 + 129) % 256));

const half = (body: Buffer) => body.subarray(0, Math.max(1, body.length >> 1));

/** Half of a response with a matching content-length. Half of `{}` is invalid JSON. */
function truncated({ status, headers, body }: RealResponse): StoreResponse {
  const part = half(body);
  return { status, headers: { ...headers, 'content-length': String(part.length) }, body: part };
}

async function sendHalf({ forward, response }: Exchange): Promise<void> {
  const { status, headers, body } = await forward();
  response.writeHead(status, { ...headers, 'content-length': Math.max(2, body.length) });
  await sendPart(response, half(body));
}

/** No pause exceeds 50 ms, so only a time limit for the whole response ends it. */
async function drip({ forward, response, wait, closed }: Exchange): Promise<void> {
  const { status, headers, body } = await forward();
  response.writeHead(status, { ...headers, 'content-length': body.length + 100 });
  for (let ms = 0; ms < LIMITS.attempt; ms += 50) {
    await sendPart(response, ' ');
    await wait(50);
  }
  await closed;
}

/** The ways in which a connection breaks, and when: the response is then never whole. */
const BREAKS = Object.entries<(exchange: Exchange) => Promise<void> | void>({
  hang,
  reset: ({ reset }) => reset(),
  close: ({ response }) => void response.destroy(),
}).flatMap(([name, end]): [string, Behavior][] => [
  [`${name} before the write`, end],
  [`${name} after the write`, async (exchange) => exchange.forward().then(() => end(exchange))],
  [`${name} in the body`, async (exchange) => sendHalf(exchange).then(() => end(exchange))],
]);

/** Every fault of the matrix, by its kind. */
const BEHAVIORS: Record<Fault['kind'], Record<string, Behavior>> = {
  unreachable: { 'reset on connect': 'reset on connect', 'hang on connect': 'hang on connect' },
  throttled: {
    ...named('ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'ThrottlingException'),
    ...named('TransactionConflictException', 'ReplicatedWriteConflictException'),
    'a throttle with a hint to wait 30 s': {
      ...exception('ThrottlingException'),
      headers: { 'retry-after': '30', 'x-amz-retry-after': '30000' },
    },
    // Only the status tells of these.
    '429 without a body': foreign(429, 'text/plain', ''),
    '429 in HTML': foreign(429, 'text/html', HTML),
    '429 in JSON that is no object': foreign(429, 'application/json', 'null'),
    '429 with the name of another error': exception('AccessDeniedException', 429),
    '429 with a wrong checksum': { status: 429, headers: { 'x-amz-crc32': '7' }, body: 'slow' },
  },
  // An operator must fix them.
  ours: {
    ...named('AccessDeniedException', 'ResourceNotFoundException', 'ValidationException'),
    ...named('UnrecognizedClientException', 'ExpiredTokenException', 'InvalidSignatureException'),
    ...named('MissingAuthenticationTokenException'),
  },
  unknown: {
    ...Object.fromEntries(BREAKS),
    'a body that drips': drip,
    // After it, Node has no more events of the request.
    '101 Switching Protocols': async ({ response, closed, wait }) => {
      response.writeHead(101, { connection: 'Upgrade', upgrade: 'x' }).flushHeaders();
      await closed;
      await wait(LIMITS.attempt);
    },
    'a write after the attempt is over': async ({ forward, respond, wait }) => {
      await wait(1_300);
      respond(await forward());
    },
    'truncated JSON': after(truncated),
    'truncated JSON without a checksum': after(({ headers: { 'x-amz-crc32': _, ...headers }, ...response }) =>
      truncated({ ...response, headers }),
    ),
    garbage: after((response) => ({ ...response, headers: {}, body: NOISE })),
    'an empty response': { status: 200, body: '' },
    'HTML with status 200': foreign(200, 'text/html', HTML),
    'HTML with status 403': foreign(403, 'text/html', HTML),
    'a redirect': { ...foreign(302, 'text/html', HTML), headers: { location: 'https://127.0.0.1:1/' } },
    'JSON with status 200 that is not DynamoDB’s': foreign(200, 'application/json', '{"status":"ok"}'),
    'null with DynamoDB’s media type': { status: 200, body: 'null' },
    'a success that names an error': { status: 200, body: '{"message":null,"__type":"ThrottlingException"}' },
    'half a success with an error’s name': { status: 200, body: '{"__type":"Th' },
    // lib-dynamodb cannot convert them, and says nothing of the response.
    'attributes of an unknown type': {
      status: 200,
      body: '{"Item":{"name":{"X":7}},"Attributes":{"name":{"X":7}}}',
    },
    'a refusal without a name': { status: 400, body: '{}' },
    'a named refusal with status 399': exception('AccessDeniedException', 399),
    '500 before the write': exception('InternalServerError', 500),
    '500 after the write': after(() => exception('InternalServerError', 500)),
    '503 after the write': after(() => exception('ServiceUnavailableException', 503)),
    '500 without a body': foreign(500, 'text/plain', ''),
    '504 in JSON': foreign(504, 'application/json', '{"message":null}'),
    '408 in HTML': foreign(408, 'text/html', HTML),
    '408 with another name': exception('AccessDeniedException', 408),
    // The store waited in vain for the whole request.
    ...named('RequestTimeout', 'RequestTimeoutException'),
  },
};

export const FAULTS = Object.entries(BEHAVIORS).flatMap(([kind, behaviors]) =>
  Object.entries(behaviors).map(([name, behavior]) => ({ name, kind, behavior }) as Fault),
);
