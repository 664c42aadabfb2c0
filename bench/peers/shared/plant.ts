/** A plant as JSON.parse gives it: its id is a double, so digits past 2^53 are lost. */
export interface NewPlant {
  readonly id: number;
  readonly name: string;
  readonly tag?: string;
}

/** Checks a NewPlant by hand, for the peers that bring no validator. @returns what is wrong, or undefined */
export function faultOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  const { id, name, tag } = value as Record<string, unknown>;
  if (!Number.isInteger(id)) return 'id must be an integer';
  if (typeof name !== 'string') return 'name must be a string';
  if (tag !== undefined && typeof tag !== 'string') return 'tag must be a string';
  return undefined;
}

/** The same rules as JSON Schema, for the peers that bring a validator. */
export const NEW_PLANT_SCHEMA = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, tag: { type: 'string' } },
} as const;
