import { createHash } from 'node:crypto';

/** A plant from JSON.parse: its id is a double, so ids beyond 2^53 lose digits. */
interface NewPlant {
  readonly id: number;
  readonly name: string;
  readonly tag?: string;
}

/** The two calls that every peer makes, with its own client. */
export interface Store {
  /** Reads one item of the table of access tokens. */
  readToken(digest: string): Promise<{ readonly expires: number } | undefined>;
  /** Stores a plant if its id is free. @throws "ConditionalCheckFailed" with the item that has the id, as `Item` */
  putPlant(plant: NewPlant): Promise<unknown>;
}

/** The GetItem request. @param digest as the client takes it */
export function getToken<Digest>(digest: Digest) {
  return { TableName: process.env.ACCESS_TOKENS_TABLE ?? '', Key: { digest }, ConsistentRead: true };
}

/** The PutItem request, with the same condition as ours. @param item as the client takes it */
export function putPlant<Values>(item: Values) {
  return {
    TableName: process.env.PLANTS_TABLE ?? '',
    Item: item,
    ConditionExpression: 'attribute_not_exists(#id)',
    ExpressionAttributeNames: { '#id': 'id' },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

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
    const { Item: stored } = error;
    if (stored.name?.S !== name || stored.tag?.S !== tag)
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
