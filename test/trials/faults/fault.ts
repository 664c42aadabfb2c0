import { crc32 } from 'node:zlib';
import type { Act, Exchange, RealAnswer, StoreAnswer } from '../../support/acts.ts';

/** How the contract sorts faults (design, section 1, "Which number a store fault gets"). */
export type Kind = 'harmless' | 'unreachable' | 'throttled' | 'ours' | 'unknown';

/** One way in which the store, or the way to it, can fail. */
export interface Fault {
  readonly name: string;
  readonly kind: Kind;
  readonly act: Act;
}

/** DynamoDB's answers as its documents show them: the type with its namespace, a message, and a checksum. */
export function dynamoError(status: number, type: string, message: string, more: object = {}): StoreAnswer {
  const body = Buffer.from(JSON.stringify({ __type: type, message, ...more }));
  return { status, headers: dynamoHeaders(body), body };
}

function dynamoHeaders(body: Buffer): Record<string, string> {
  return { 'content-type': 'application/x-amz-json-1.0', 'x-amz-crc32': String(crc32(body)) };
}

/** An answer of something that is not DynamoDB at all. */
export function foreign(status: number, type: string, body: string | Buffer): StoreAnswer {
  return { status, headers: { 'content-type': type }, body: Buffer.from(body) };
}

/** Something else answers, and the store never hears of it. */
export const instead =
  (answer: StoreAnswer): Act =>
  (exchange: Exchange) =>
    exchange.answer(answer);

/** The store does as it was asked, and then something becomes of its answer. */
export const after =
  (change: (answer: RealAnswer) => StoreAnswer): Act =>
  async ({ forward, answer }: Exchange) =>
    answer(change(await forward()));

/** What a café's network says instead of anything that was asked for. */
export const HTML = '<html><head><title>Sign in</title></head><body>Welcome to the network</body></html>';
