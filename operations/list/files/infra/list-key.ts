// Without the CDK library, as table-keys.ts.

import { LISTED_BY } from '../lambda/listed-by.ts';
import { PROPERTIES } from '../lambda/properties.ts';
import type { TableKey } from './table-keys.ts';

const TYPE: string = PROPERTIES[LISTED_BY].type.schema.type;

/** The key by which the index of the lists selects plants. It sorts them by their id. */
export const LIST_KEY: TableKey = { name: LISTED_BY, type: TYPE === 'string' ? 'S' : 'N' };
