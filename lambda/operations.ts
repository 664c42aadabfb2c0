import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createPlant } from './create-plant.ts';
import { ENVIRONMENT, requireVariable } from './environment.ts';
import type { Operation } from './middleware.ts';
import { AccessTokenTable, type Clocks } from './store/access-token-table.ts';
import { PlantTable } from './store/plant-table.ts';

/** The operation, over the tables that the environment names. Another verifier of access tokens is put in here. */
export function operations(client: DynamoDBDocumentClient, clocks?: Partial<Clocks>): Operation {
  return createPlant({
    accessTokens: new AccessTokenTable(client, requireVariable(ENVIRONMENT.accessTokensTable), clocks),
    plants: new PlantTable(client, requireVariable(ENVIRONMENT.plantsTable)),
  });
}
