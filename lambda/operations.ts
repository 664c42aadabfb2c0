import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createPlant, type Stores } from './create-plant.ts';
import { ENVIRONMENT, requireVariable } from './environment.ts';
import type { Operation } from './middleware.ts';
import { requireOperation } from './request/proxy-event.ts';
import type { OperationName } from './routes.ts';
import { AccessTokenTable } from './store/access-token-table.ts';
import { JsonWebTokens } from './store/json-web-tokens.ts';
import { PlantTable } from './store/plant-table.ts';

/** The operations, over the tables that the environment names, and with the tokens of the identity provider that it names. */
export function operations(client: DynamoDBDocumentClient): Operation {
  const stores = {
    accessTokens: withIdentityProvider(
      new AccessTokenTable(client, requireVariable(ENVIRONMENT.accessTokensTable)),
    ),
    plants: new PlantTable(client, requireVariable(ENVIRONMENT.plantsTable)),
  };
  const steps: Readonly<Record<OperationName, Operation>> = {
    createPlant: createPlant(stores),
  };
  return async (invocation) => steps[requireOperation(invocation.event)](invocation);
}

/** The bundler knows the variable of a stage (`infra/bundle.ts`), and leaves out what is not used. */
function withIdentityProvider(table: AccessTokenTable): Stores['accessTokens'] {
  return process.env.IDENTITY_PROVIDER
    ? new JsonWebTokens(JSON.parse(process.env.IDENTITY_PROVIDER), table)
    : table;
}
