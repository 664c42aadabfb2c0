import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { LIST_INDEX } from '../lambda/listed-by.ts';
import { LIST_KEY } from './list-key.ts';
import type { Stage } from './stage-settings.ts';
import { PLANTS_KEY, type TableKey } from './table-keys.ts';

/** Adds the index that lists read to the table of plants. Its ceiling is that of the table, which does not hold for an index. */
export function addListIndex(plants: TableV2, { tableCeiling }: Stage): void {
  plants.addGlobalSecondaryIndex({
    indexName: LIST_INDEX,
    partitionKey: attribute(LIST_KEY),
    sortKey: attribute(PLANTS_KEY),
    maxReadRequestUnits: tableCeiling?.reads,
    maxWriteRequestUnits: tableCeiling?.writes,
  });
}

/** A metric that DynamoDB has for each index apart. */
export function indexMetric(plants: TableV2, name: string, options: MetricOptions): Metric {
  const dimensionsMap = { TableName: plants.tableName, GlobalSecondaryIndexName: LIST_INDEX };
  return plants.metric(name, { ...options, dimensionsMap });
}

const attribute = ({ name, type }: TableKey) => ({
  name,
  type: type === 'N' ? AttributeType.NUMBER : AttributeType.STRING,
});
