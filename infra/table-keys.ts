// The keys of the tables, in a module without the CDK library, which takes a second to load: the tools need them, too.

import { PROPERTIES } from '../lambda/properties.ts';

/** The partition key of a table: its attribute, and DynamoDB's letter for the type of the attribute. */
export interface TableKey {
  readonly name: string;
  readonly type: 'N' | 'S';
}

/** The key of a plant is its id: a number, or a text. Changing its type replaces the table. */
export const PLANTS_KEY: TableKey = {
  name: 'id',
  type: PROPERTIES.id.type.schema.type === 'integer' ? 'N' : 'S',
};

/** The key of an access token is its SHA-256 digest. Changing this replaces the table. */
export const ACCESS_TOKENS_KEY = { name: 'digest', type: 'S' } as const satisfies TableKey;
