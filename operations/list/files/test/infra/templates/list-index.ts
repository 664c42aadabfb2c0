import { EXAMPLES } from '../../../contract/examples.ts';
import type { Json } from '../synth.ts';

/** The expected table of plants with the index that lists read: of the same key, and with the same ceiling. */
export function withListIndex({ AttributeDefinitions, Replicas: [replica], ...table }: Json): Json {
  const [value] = EXAMPLES['status'] ?? [];
  const IndexName = 'by-status';
  return {
    ...table,
    AttributeDefinitions: [
      ...AttributeDefinitions,
      { AttributeName: 'status', AttributeType: typeof value === 'number' ? 'N' : 'S' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName,
        KeySchema: [
          { AttributeName: 'status', KeyType: 'HASH' },
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
