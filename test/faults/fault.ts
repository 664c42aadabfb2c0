import { crc32 } from 'node:zlib';
import type { Act, Exchange, RealAnswer, StoreAnswer } from '../support/acts.ts';

/** Categories of faults; NUMBERS in run-cell.ts has their error numbers. */
export type Kind = 'harmless' | 'unreachable' | 'throttled' | 'ours' | 'unknown';

/** A fault of the store or of the connection to it. */
export interface Fault {
  readonly name: string;
  readonly kind: Kind;
  readonly act: Act;
}

/** An error as DynamoDB's documentation shows it: the type with its namespace, a message, and a checksum. */
export function dynamoError(status: number, type: string, message: string, more: object = {}): StoreAnswer {
  const body = Buffer.from(JSON.stringify({ __type: type, message, ...more }));
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-crc32': String(crc32(body)) };
  return { status, headers, body };
}

/** An answer that did not come from DynamoDB. */
export function foreign(status: number, type: string, body: string | Buffer): StoreAnswer {
  return { status, headers: { 'content-type': type }, body: Buffer.from(body) };
}

/** Answers without forwarding the request to the store. */
export const instead =
  (answer: StoreAnswer): Act =>
  (exchange: Exchange) =>
    exchange.answer(answer);

/** Forwards the request to the store, and changes its answer. */
export const after =
  (change: (answer: RealAnswer) => StoreAnswer): Act =>
  async ({ forward, answer }: Exchange) =>
    answer(change(await forward()));

/** The sign-in page of a public network's captive portal. */
export const HTML = '<html><head><title>Sign in</title></head><body>Welcome to the network</body></html>';
