import {
  type Behavior,
  type Exchange,
  giveUp,
  hang,
  LIMITS,
  type RealResponse,
  type StoreResponse,
  sendPart,
} from '../support/store-behaviors.ts';
import { after, type Fault, foreign, HTML, instead } from './fault.ts';

const unknown = (name: string, behavior: Behavior): Fault => ({ name, kind: 'unknown', behavior });

const half = (body: Buffer) => body.subarray(0, Math.max(1, body.length >> 1));

async function sendHalf({ forward, response }: Exchange): Promise<void> {
  const { status, headers, body } = await forward();
  response.writeHead(status, { ...headers, 'content-length': Math.max(2, body.length) });
  await sendPart(response, half(body));
}

async function drip(exchange: Exchange): Promise<void> {
  const { forward, response, wait } = exchange;
  const { status, headers, body } = await forward();
  response.writeHead(status, { ...headers, 'content-length': body.length + 100 });
  // No pause exceeds 50 ms, so only a time limit for the whole response ends it.
  for (let ms = 0; ms < LIMITS.attempt - 50; ms += 50) {
    await sendPart(response, ' ');
    await wait(50);
  }
  await giveUp(exchange, 50);
}

async function late({ forward, respond, wait }: Exchange): Promise<void> {
  await wait(1_300);
  respond(await forward());
}

/** The ways in which a response stops. */
const ENDS = {
  hang,
  reset: ({ reset }: Exchange) => reset(),
  close: ({ response }: Exchange) => void response.destroy(),
};

/** Connections that hang or break. */
export const SILENCES: Fault[] = [
  ...Object.entries(ENDS).flatMap(([name, end]) => [
    unknown(`${name} before the write`, end),
    unknown(`${name} after the write`, async (exchange) => {
      await exchange.forward();
      await end(exchange);
    }),
    unknown(`${name} in the body`, async (exchange) => {
      await sendHalf(exchange);
      await end(exchange);
    }),
  ]),
  unknown('a body that drips', drip),
  // After it, Node has no more events of the request.
  unknown('101 Switching Protocols', async ({ response, closed, wait }) => {
    response.writeHead(101, { connection: 'Upgrade', upgrade: 'x' }).flushHeaders();
    await closed;
    await wait(LIMITS.attempt);
  }),
  unknown('a write after the attempt is over', late),
];

/** Half of a response with a matching content-length. Half of `{}` is invalid JSON. */
function truncated({ status, headers, body }: RealResponse): StoreResponse {
  const part = half(body);
  return { status, headers: { ...headers, 'content-length': String(part.length) }, body: part };
}

function withoutChecksum({
  headers: { 'x-amz-crc32': _, ...headers },
  ...response
}: RealResponse): RealResponse {
  return { ...response, headers };
}

const NOISE = Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 73 + 129) % 256));
const redirect = { ...foreign(302, 'text/html', HTML), headers: { location: 'https://127.0.0.1:1/' } };

/** Damaged responses, and responses that do not come from DynamoDB. */
export const DAMAGES: Fault[] = Object.entries({
  'truncated JSON': after(truncated),
  'truncated JSON without a checksum': after((response) => truncated(withoutChecksum(response))),
  garbage: after((response) => ({ ...response, body: NOISE, headers: {} })),
  'garbage with DynamoDB’s media type': instead(foreign(200, 'application/x-amz-json-1.0', NOISE)),
  'an empty response': instead(foreign(200, 'application/x-amz-json-1.0', '')),
  'HTML with status 200': instead(foreign(200, 'text/html', HTML)),
  'HTML with status 403': instead(foreign(403, 'text/html', HTML)),
  'a redirect': instead(redirect),
  'JSON with status 200 that is not DynamoDB’s': instead(foreign(200, 'application/json', '{"status":"ok"}')),
  'JSON with status 202 that is not DynamoDB’s': instead(foreign(202, 'application/json', '{}')),
  'null with DynamoDB’s media type': instead(foreign(200, 'application/x-amz-json-1.0', 'null')),
  'a success that names an error': instead(
    foreign(200, 'application/x-amz-json-1.0', '{"message":null,"__type":"ThrottlingException"}'),
  ),
  'half a success with an error’s name': instead(foreign(200, 'application/x-amz-json-1.0', '{"__type":"Th')),
  // lib-dynamodb cannot convert them, and says nothing of the response.
  'attributes of an unknown type': instead(
    foreign(200, 'application/x-amz-json-1.0', '{"Item":{"name":{"X":7}},"Attributes":{"name":{"X":7}}}'),
  ),
  'a list with DynamoDB’s media type': instead(foreign(200, 'application/x-amz-json-1.0', '[{}]')),
}).map(([name, behavior]) => unknown(name, behavior));
