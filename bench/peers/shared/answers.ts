import type { APIGatewayProxyResult } from 'aws-lambda';
import type { NewPlant } from './plant.ts';

/** A refusal that a peer's own error handling turns into the answer. */
export class Refusal extends Error {
  readonly error: number;

  constructor(error: number, message: string) {
    super(message);
    this.error = error;
  }
}

/** The shape of Plant: what was sent, without its id. */
export function plantOf({ name, tag }: NewPlant): { name: string; tag?: string } {
  return tag === undefined ? { name } : { name, tag };
}

/** The shape of Error, for anything that was thrown. */
export function errorOf(thrown: unknown): { error: number; message: string } {
  if (thrown instanceof Refusal) return { error: thrown.error, message: thrown.message };
  return { error: 50001, message: 'The service has a fault.' };
}

/** An answer in the gateway's form. */
export function answer(statusCode: 200 | 400, body: object): APIGatewayProxyResult {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
