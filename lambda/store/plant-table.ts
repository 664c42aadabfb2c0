import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The table of plants. Each file beside this one that calls it is for one call. */
export interface PlantTable {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}
