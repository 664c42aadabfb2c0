import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ENVIRONMENT, requireVariable } from '../environment.ts';
import { AccessTokenTable, type Clocks } from './access-token-table.ts';
import { PlantTable } from './plant-table.ts';

/** The stores of the function, as its environment names them. Another verifier of access tokens replaces the first. */
export function openStores(client: DynamoDBDocumentClient, clocks?: Partial<Clocks>) {
  return {
    accessTokens: new AccessTokenTable(client, requireVariable(ENVIRONMENT.accessTokensTable), clocks),
    plants: new PlantTable(client, requireVariable(ENVIRONMENT.plantsTable)),
  };
}
