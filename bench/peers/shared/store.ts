import type { NewPlant } from './plant.ts';

/** The two calls that every peer makes, each with a client of its own choice. */
export interface Store {
  /** Reads one item of the tokens' table. */
  readToken(digest: string): Promise<{ name: string; expires: number } | undefined>;
  /** Stores a plant under one condition. @returns false when the id belongs to a different plant */
  createPlant(plant: NewPlant): Promise<boolean>;
}

/** Names of the tables, from the same variables as ours. */
export const PLANTS_TABLE = process.env.PLANTS_TABLE ?? '';
/** See {@link PLANTS_TABLE}. */
export const TOKENS_TABLE = process.env.ACCESS_TOKENS_TABLE ?? '';

/** The condition under which a create is safe to repeat, the same as ours. */
export function condition(hasTag: boolean): {
  ConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ReturnValues: 'ALL_OLD';
} {
  const sameTag = hasTag ? '#tag = :tag' : 'attribute_not_exists(#tag)';
  return {
    ConditionExpression: `attribute_not_exists(#id) OR (#name = :name AND ${sameTag})`,
    ExpressionAttributeNames: { '#id': 'id', '#name': 'name', '#tag': 'tag' },
    ReturnValues: 'ALL_OLD',
  };
}
