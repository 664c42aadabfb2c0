import { Operation, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Tables } from './tables.ts';

/** A call that the function makes. */
interface TableCall {
  readonly operation: Operation;
  readonly table: TableV2;
  /** What the permission is for: the table or one of its indexes. */
  readonly resource: string;
}

/** All calls of the function. It may make no others, and the metrics of the tables count these. */
export function tableCalls({ plants, accessTokens }: Tables): readonly TableCall[] {
  return [
    { operation: Operation.PUT_ITEM, table: plants, resource: plants.tableArn },
    ...(accessTokens
      ? [{ operation: Operation.GET_ITEM, table: accessTokens, resource: accessTokens.tableArn }]
      : []),
  ];
}
