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

/** Connections that hang or break. */
export const SILENCES: Fault[] = [
  { name: 'hang before the write', kind: 'unknown', act: hang },
  {
    name: 'hang after the write',
    kind: 'unknown',
    act: async (exchange: Exchange) => {
      await exchange.forward();
      await hang(exchange);
    },
  },
  { name: 'hang in the body', kind: 'unknown', act: halfThen('hang') },
  { name: 'a body that drips', kind: 'unknown', act: drip },
  { name: 'a write after the attempt is over', kind: 'unknown', act: late },
  { name: 'reset before the write', kind: 'unknown', act: ({ reset }) => reset() },
  {
    name: 'reset after the write',
    kind: 'unknown',
    act: async ({ forward, reset }) => {
      await forward();
      reset();
    },
  },
  { name: 'reset in the body', kind: 'unknown', act: halfThen('reset') },
  { name: 'close before the write', kind: 'unknown', act: ({ response }) => void response.destroy() },
  {
    name: 'close after the write',
    kind: 'unknown',
    act: async ({ forward, response }) => {
      await forward();
      response.destroy();
    },
  },
  { name: 'close in the body', kind: 'unknown', act: halfThen('close') },
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

/** Answers that differ from what the store sent. */
export const DAMAGES: Fault[] = [
  { name: 'truncated JSON', kind: 'unknown', act: truncated(true) },
  { name: 'truncated JSON without a checksum', kind: 'unknown', act: truncated(false) },
  { name: 'garbage', kind: 'unknown', act: after((answer) => ({ ...answer, body: NOISE, headers: {} })) },
  {
    name: 'garbage with DynamoDB’s media type',
    kind: 'unknown',
    act: instead(foreign(200, 'application/x-amz-json-1.0', NOISE)),
  },
  { name: 'an empty answer', kind: 'unknown', act: instead(foreign(200, 'application/x-amz-json-1.0', '')) },
  { name: 'HTML with status 200', kind: 'unknown', act: instead(foreign(200, 'text/html', HTML)) },
  { name: 'HTML with status 403', kind: 'unknown', act: instead(foreign(403, 'text/html', HTML)) },
  {
    name: 'a redirect',
    kind: 'unknown',
    act: instead({ ...foreign(302, 'text/html', HTML), headers: { location: 'https://127.0.0.1:1/' } }),
  },
  {
    name: 'JSON with status 200 that is not DynamoDB’s',
    kind: 'unknown',
    act: instead(foreign(200, 'application/json', '{"status":"ok"}')),
  },
  {
    name: 'JSON with status 202 that is not DynamoDB’s',
    kind: 'unknown',
    act: instead(foreign(202, 'application/json', '{}')),
  },
  {
    name: 'JSON with status 200 that is no object',
    kind: 'unknown',
    act: instead(foreign(200, 'application/json', 'null')),
  },
];
