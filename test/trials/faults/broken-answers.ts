import {
  type Act,
  type Exchange,
  giveUp,
  hang,
  LIMITS,
  type RealAnswer,
  sendPart,
} from '../../support/acts.ts';
import { after, type Fault, foreign, HTML, instead } from './fault.ts';

const half = (body: Buffer) => body.subarray(0, Math.max(1, body.length >> 1));

/** Sends the head and half of the real answer, then hangs, resets or closes. */
const halfThen =
  (then: 'hang' | 'reset' | 'close'): Act =>
  async (exchange: Exchange) => {
    const { forward, response, reset } = exchange;
    const { status, headers, body } = await forward();
    response.writeHead(status, { ...headers, 'content-length': Math.max(2, body.length) });
    await sendPart(response, half(body));
    if (then === 'hang') await hang(exchange);
    if (then === 'reset') reset();
    if (then === 'close') response.destroy();
  };

const drip = async (exchange: Exchange) => {
  const { forward, response, wait } = exchange;
  const { status, headers, body } = await forward();
  response.writeHead(status, { ...headers, 'content-length': body.length + 100 });
  // No pause exceeds 50 ms, so only a time limit for the whole answer helps.
  for (let ms = 0; ms < LIMITS.attempt - 50; ms += 50) {
    await sendPart(response, ' ');
    await wait(50);
  }
  await giveUp(exchange, 50);
};

const late = async ({ forward, answer, wait }: Exchange) => {
  await wait(1_300);
  answer(await forward());
};

const unknown = (name: string, act: Act): Fault => ({ name, kind: 'unknown', act });

/** Connections that hang or break. */
export const SILENCES: Fault[] = [
  unknown('hang before the write', hang),
  unknown('hang after the write', async (exchange) => {
    await exchange.forward();
    await hang(exchange);
  }),
  unknown('hang in the body', halfThen('hang')),
  unknown('a body that drips', drip),
  unknown('a write after the attempt is over', late),
  unknown('reset before the write', ({ reset }) => reset()),
  unknown('reset after the write', async ({ forward, reset }) => {
    await forward();
    reset();
  }),
  unknown('reset in the body', halfThen('reset')),
  unknown('close before the write', ({ response }) => void response.destroy()),
  unknown('close after the write', async ({ forward, response }) => {
    await forward();
    response.destroy();
  }),
  unknown('close in the body', halfThen('close')),
];

const without = (headers: RealAnswer['headers'], name: string) => {
  const { [name]: _, 'content-length': __, ...rest } = headers;
  return rest;
};
/** Half of an answer with a matching content-length. Half of `{}` is invalid JSON. */
const truncated =
  (keepChecksum: boolean): Act =>
  async ({ forward, answer }: Exchange) => {
    const { status, headers, body } = await forward();
    const kept = without(headers, keepChecksum ? 'content-length' : 'x-amz-crc32');
    answer({ status, headers: kept, body: half(body) });
  };
const NOISE = Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 73 + 129) % 256));

const redirect = { ...foreign(302, 'text/html', HTML), headers: { location: 'https://127.0.0.1:1/' } };

/** Answers that differ from what the store sent. */
export const DAMAGES: Fault[] = [
  unknown('truncated JSON', truncated(true)),
  unknown('truncated JSON without a checksum', truncated(false)),
  unknown(
    'garbage',
    after((answer) => ({ ...answer, body: NOISE, headers: {} })),
  ),
  ...(
    [
      ['garbage with DynamoDB’s media type', foreign(200, 'application/x-amz-json-1.0', NOISE)],
      ['an empty answer', foreign(200, 'application/x-amz-json-1.0', '')],
      ['HTML with status 200', foreign(200, 'text/html', HTML)],
      ['HTML with status 403', foreign(403, 'text/html', HTML)],
      ['a redirect', redirect],
      ['JSON with status 200 that is not DynamoDB’s', foreign(200, 'application/json', '{"status":"ok"}')],
      ['JSON with status 202 that is not DynamoDB’s', foreign(202, 'application/json', '{}')],
      ['JSON with status 200 that is not an object', foreign(200, 'application/json', 'null')],
    ] as const
  ).map(([name, answer]) => unknown(name, instead(answer))),
];
