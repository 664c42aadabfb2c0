import type { NewPlant, Store } from './store.ts';

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
  const plant = value as NewPlant;
  if (!(await store.createPlant(plant))) throw new Refusal(40901, 'The id belongs to a different plant.');
  const { name, tag } = plant;
  return tag === undefined ? { name } : { name, tag };
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
