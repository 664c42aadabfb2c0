import { crc32 } from 'node:zlib';
import type { Behavior, Exchange, RealResponse, StoreResponse } from '../support/store-behaviors.ts';

/** Categories of faults; NUMBERS in run-cell.ts has their error numbers. */
export type Kind = 'harmless' | 'unreachable' | 'throttled' | 'ours' | 'unknown';

/** A fault of the store or of the connection to it. */
export interface Fault {
  readonly name: string;
  readonly kind: Kind;
  readonly behavior: Behavior;
}

/** An error as DynamoDB's documentation shows it: the type with its namespace, a message, and a checksum. */
export function dynamoError(status: number, type: string, message: string, more: object = {}): StoreResponse {
  const body = Buffer.from(JSON.stringify({ __type: type, message, ...more }));
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-crc32': String(crc32(body)) };
  return { status, headers, body };
}

/** A response that did not come from DynamoDB. */
export function foreign(status: number, type: string, body: string | Buffer): StoreResponse {
  return { status, headers: { 'content-type': type }, body: Buffer.from(body) };
}

/** Responds without forwarding the request to the store. */
export const instead =
  (response: StoreResponse): Behavior =>
  (exchange: Exchange) =>
    exchange.respond(response);

/** Forwards the request to the store, and changes its response. */
export const after =
  (change: (response: RealResponse) => StoreResponse): Behavior =>
  async ({ forward, respond }: Exchange) =>
    respond(change(await forward()));

/** The sign-in page of a public network's captive portal. */
export const HTML = '<html><head><title>Sign in</title></head><body>Welcome to the network</body></html>';
