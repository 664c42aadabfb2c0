import type http from 'node:http';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

/** The two calls that the function makes: the token's look-up and the put of the plant. */
export type Operation = 'GetItem' | 'PutItem';

/** An answer of the store, or of something in its place. */
export interface StoreAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** What the real store said. */
export type RealAnswer = Required<StoreAnswer> & { readonly body: Buffer };

/** One attempt of one call, as an act sees it. */
export interface Exchange {
  /** Lets the real store do what was asked. */
  forward(): Promise<RealAnswer>;
  answer(answer: StoreAnswer): void;
  /** What the function asked. */
  readonly request: http.IncomingMessage;
  /** The answer to the function, for an act that sends it in pieces. */
  readonly response: http.ServerResponse;
  /** Ends the connection with a TCP reset. */
  reset(): void;
  /** Lets time pass, in milliseconds: on the function's clock where it has one of its own. */
  wait(ms: number): Promise<void>;
  /** Notes that the function has not given up in time. */
  overdue(): void;
  /** Resolves when the function has closed the connection, or has the answer. */
  readonly closed: Promise<unknown>;
}

/** What happens to one attempt: a step of a script, an answer, or one of these words. */
export type Act = ((exchange: Exchange) => Promise<void> | void) | StoreAnswer | Word;

/** The first two happen before there is a connection to do anything on. */
export type Word = 'refuse' | 'hang on connect' | 'hang' | 'reset' | 'half';

/** In milliseconds: how long an attempt may take, and one to connect (design, section 5). */
export const LIMITS = { attempt: 900, connect: 500 } as const;

/** In milliseconds of real time: more than any machine needs to close a connection to itself. */
const PATIENCE_MS = 30_000;

/** Lets an attempt through to the real store. */
export const pass = async ({ forward, answer }: Exchange): Promise<void> => answer(await forward());

/** Says nothing until the function gives the attempt up. */
export const hang = (exchange: Exchange): Promise<void> => giveUp(exchange, LIMITS.attempt);

/** Waits until the function has given the attempt up, which has to happen in a time in milliseconds. */
export async function giveUp({ wait, closed, overdue }: Exchange, ms: number): Promise<void> {
  await wait(ms);
  if (await isOver(closed)) return;
  overdue();
  for (let count = 0; count < 10 && !(await isOver(closed)); count += 1) await wait(1_000);
}

async function isOver(closed: Promise<unknown>): Promise<boolean> {
  const stop = new AbortController();
  const late = pause(PATIENCE_MS, false, { ref: false, signal: stop.signal }).catch(() => false);
  const over = await Promise.race([closed.then(() => true), late]);
  stop.abort();
  return over;
}

/** Sends a part of an answer, and lets it arrive. */
export async function sendPart(response: http.ServerResponse, part: string | Buffer): Promise<void> {
  await new Promise<unknown>((resolve) => response.write(part, resolve));
  // Sender and receiver share an event loop: what was written is read in its next turns.
  for (let turns = 0; turns < 10; turns += 1) await turn();
}

const DYNAMODB = { 'content-type': 'application/x-amz-json-1.0' };

/** An answer as DynamoDB gives it. */
export function ok(body: object): StoreAnswer {
  return { status: 200, body: JSON.stringify(body) };
}

/** An error as DynamoDB gives it. */
export function exception(name: string, status = 400): StoreAnswer {
  return {
    status,
    body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'in AWS words' }),
  };
}

/** A token that is known until the year 3000, as the table of access tokens answers. */
export const KNOWN_TOKEN = ok({ Item: { name: { S: 'ci' }, expires: { N: '32503680000' } } });

/** Does an act that needs a connection. */
export async function perform(act: Exclude<Act, 'refuse' | 'hang on connect'>, exchange: Exchange) {
  const { answer, response, reset } = exchange;
  if (typeof act === 'function') return act(exchange);
  if (typeof act === 'object') return answer({ ...act, headers: { ...DYNAMODB, ...act.headers } });
  if (act === 'hang') return hang(exchange);
  if (act === 'reset') return reset();
  response.writeHead(200, { 'content-length': '100' });
  await sendPart(response, '{"Item"');
  response.destroy();
}
