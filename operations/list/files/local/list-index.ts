import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { LIST_KEY } from '../infra/list-key.ts';
import { PLANTS_KEY } from '../infra/table-keys.ts';
import { LIST_INDEX } from '../lambda/listed-by.ts';

type Definition = Required<Pick<CreateTableCommandInput, 'AttributeDefinitions'>>;

/** Adds the index that lists read to the definition of the table of plants. */
export function withListIndex<Table extends Definition>(table: Table) {
  const { name, type } = LIST_KEY;
  return {
    ...table,
    AttributeDefinitions: [
      ...(table.AttributeDefinitions ?? []),
      { AttributeName: name, AttributeType: type },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: LIST_INDEX,
        KeySchema: [
          { AttributeName: name, KeyType: 'HASH' as const },
          { AttributeName: PLANTS_KEY.name, KeyType: 'RANGE' as const },
        ],
        Projection: { ProjectionType: 'ALL' as const },
      },
    ],
  };
}
