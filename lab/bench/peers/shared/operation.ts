import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { isSame, type NewPlant, type Store } from './store.ts';

/** A refusal; the peer's error handling turns it into the response. */
export class Refusal extends Error {
  readonly error: number;

  constructor(error: number, message: string) {
    super(message);
    this.error = error;
  }
}

/**
 * Validates and stores a plant.
 * @returns the Plant of the response
 * @throws Refusal 40002 if the value is not a NewPlant, 40901 if the id belongs to a different plant
 */
export async function create(value: unknown, store: Store): Promise<{ name: string; tag?: string }> {
  const fault = faultOf(value);
  if (fault) throw new Refusal(40002, fault);
  const { id, name, tag } = value as NewPlant;
  const plant = tag === undefined ? { name } : { name, tag };
  await store.putPlant({ id, ...plant }).catch((error) => {
    if (!String(error).includes('ConditionalCheckFailed')) throw error;
    if (!isSame({ id, ...plant }, error.Item))
      throw new Refusal(40901, 'The id belongs to a different plant.');
  });
  return plant;
}

/** The body of the Error response for anything that was thrown. */
export function errorOf(thrown: unknown): { error: number; message: string } {
  if (thrown instanceof Refusal) return { error: thrown.error, message: thrown.message };
  return { error: 50001, message: 'The service has a fault.' };
}

function faultOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  const { id, name, tag } = value as Record<string, unknown>;
  if (!Number.isInteger(id)) return 'id must be an integer';
  if (typeof name !== 'string') return 'name must be a string';
  if (tag !== undefined && typeof tag !== 'string') return 'tag must be a string';
  return undefined;
}

const REMEMBER_MS = 60_000;
const known = new Map<string, { expires: number; freshUntil: number }>();

/**
 * The bearer check of every peer: SHA-256, one GetItem, cached for a minute.
 * @throws Refusal 40101 without a token, 40102 if the token is not in the table or expired
 */
export async function requireToken(authorization: string | undefined, store: Store): Promise<void> {
  const token = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal(40101, 'Send an access token.');
  const digest = createHash('sha256').update(token).digest('hex');
  let entry = known.get(digest);
  if (entry === undefined || entry.freshUntil <= Date.now()) {
    const item = await store.readToken(digest);
    if (item === undefined) throw new Refusal(40102, 'The access token is not valid.');
    entry = { expires: item.expires, freshUntil: Date.now() + REMEMBER_MS };
    known.set(digest, entry);
  }
  if (entry.expires * 1000 <= Date.now()) throw new Refusal(40102, 'The access token is not valid.');
}

/** A handler without a framework, for any store. */
export function bareHandler(store: Store) {
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    try {
      await requireToken(event.headers.Authorization, store);
      return respond(200, await create(parse(event), store));
    } catch (error) {
      return respond(400, errorOf(error));
    }
  };
}

function parse({ body, isBase64Encoded }: APIGatewayProxyEvent): unknown {
  try {
    return JSON.parse(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString());
  } catch {
    throw new Refusal(40001, 'The body must be JSON.');
  }
}

function respond(statusCode: 200 | 400, body: object): APIGatewayProxyResult {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
