import type http from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';

/** The calls of the function: the lookup of the token, then that for the plant. */
export const OPERATIONS = ['GetItem', 'PutItem'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** A response of the store, or of a replacement for it. Without a media type, it has DynamoDB's. */
export interface StoreResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** The response of the real store. */
export type RealResponse = Required<StoreResponse> & { readonly body: Buffer };

/** One attempt of one call. */
export interface Exchange {
  /** Forwards the request to the real store. */
  forward(): Promise<RealResponse>;
  respond(response: StoreResponse): void;
  /** The function's request. */
  readonly request: http.IncomingMessage;
  /** The response to the function, for behaviors that send it in pieces. */
  readonly response: http.ServerResponse;
  /** Ends the connection with a TCP reset. */
  reset(): void;
  /** Waits, in milliseconds: by the function's own clock if it has one. */
  wait(ms: number): Promise<void>;
  /** Resolves when the function has closed the connection or received the response. */
  readonly closed: Promise<unknown>;
}

/** What happens before there is a connection. */
type OnConnect = 'reset on connect' | 'hang on connect';

/** What happens to one attempt: a function, a response, or one of these words. */
export type Behavior = ((exchange: Exchange) => Promise<void> | void) | StoreResponse | OnConnect | 'hang';

export const isOnConnect = (behavior: Behavior): behavior is OnConnect =>
  behavior === 'reset on connect' || behavior === 'hang on connect';

/** The time limits of an attempt and of connecting, in milliseconds; copied by hand from lambda/limits.ts. */
export const LIMITS = { attempt: 900, connect: 500 } as const;

/** Passes an attempt on to the real store. */
export const pass = async ({ forward, respond }: Exchange): Promise<void> => respond(await forward());

/** Loses the response, whether the store has carried out the call or not. */
export const lose: Behavior = ({ reset }) => reset();

/** Sends nothing until the function gives up the attempt. The clock goes no further: a test of a function that gives up later does not end. */
export async function hang({ wait, closed }: Exchange): Promise<void> {
  await wait(LIMITS.attempt);
  await closed;
}

/** Sends a part of a response, and waits until it has arrived. */
export async function sendPart(response: http.ServerResponse, part: string | Buffer): Promise<void> {
  await new Promise<unknown>((resolve) => response.write(part, resolve));
  // Sender and receiver share an event loop, so the part is read in its next turns.
  for (let turns = 0; turns < 10; turns += 1) await turn();
}

/** A response as DynamoDB gives it. */
export function ok(body: object): StoreResponse {
  return { status: 200, body: JSON.stringify(body) };
}

/** An error as DynamoDB gives it, with a message that nobody else may see. */
export function exception(name: string, status = 400, more: object = {}): StoreResponse {
  const __type = `com.amazonaws.dynamodb.v20120810#${name}`;
  const message = 'User: arn:aws:sts::123456789012:assumed-role/plants is not authorized';
  return { status, body: JSON.stringify({ __type, message, ...more }) };
}

/** The response to a put whose id is taken. @param more the item that has it, as `Item` */
export function taken(more: object): StoreResponse {
  return exception('ConditionalCheckFailedException', 400, more);
}

/** The response for a known token that is valid until the year 3000. */
export const KNOWN_TOKEN = ok({ Item: { name: { S: 'ci' }, expires: { N: '32503680000' } } });

/** Performs a behavior that needs a connection. */
export async function perform(behavior: Exclude<Behavior, OnConnect>, exchange: Exchange) {
  if (typeof behavior === 'function') return behavior(exchange);
  return behavior === 'hang' ? hang(exchange) : exchange.respond(behavior);
}
