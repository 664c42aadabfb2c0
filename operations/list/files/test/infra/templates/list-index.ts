import { EXAMPLES } from '../../../contract/examples.ts';
import type { Json } from '../synth.ts';

const LISTED_BY = 'status';

/** The expected table of plants with the index that lists read: of the same key, and with the same ceiling. */
export function withListIndex({ AttributeDefinitions, Replicas: [replica], ...table }: Json): Json {
  const [value] = EXAMPLES[LISTED_BY] ?? [];
  const IndexName = 'by-status';
  return {
    ...table,
    AttributeDefinitions: [
      ...AttributeDefinitions,
      { AttributeName: LISTED_BY, AttributeType: typeof value === 'number' ? 'N' : 'S' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName,
        KeySchema: [
          { AttributeName: LISTED_BY, KeyType: 'HASH' },
          { AttributeName: 'id', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
        WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 600 },
      },
    ],
    Replicas: [
      {
        ...replica,
        GlobalSecondaryIndexes: [{ IndexName, ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 300 } }],
      },
    ],
  };
}
