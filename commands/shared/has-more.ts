import { type Json, NumberLiteral } from '../../lambda/json.ts';

/** Whether a value has more in it than what was read from it: unknown properties are dropped, of lists and objects in it too. */
export function hasMore(sent: Json, read: unknown): boolean {
  return countValues(sent) > countValues(read);
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof NumberLiteral) return 1;
  const inside = value instanceof Map ? [...value.values()] : Object.values(value);
  return inside.reduce((sum, each) => sum + countValues(each), 1);
}
