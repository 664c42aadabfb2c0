import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createPlant } from './create-plant.ts';
import { ENVIRONMENT, requireVariable } from './environment.ts';
import type { Operation } from './request/invocation.ts';
import { requireOperation } from './request/proxy-event.ts';
import type { OperationName } from './routes.ts';
import { createIn } from './store/create.ts';
import type { PlantTable } from './store/plant-table.ts';
import { type AcceptMore, AccessTokenTable, type TokenFinder } from './tokens/access-token-table.ts';

/** The operations, over the tables that the environment names. @param accepted what accepts more tokens than the table */
export function operations(
  environment: NodeJS.ProcessEnv,
  client: DynamoDBDocumentClient,
  accepted: readonly AcceptMore[] = [],
): Operation {
  const ofTable = () =>
    new AccessTokenTable(client, requireVariable(environment, ENVIRONMENT.accessTokensTable));
  const finder = accepted.reduce<() => TokenFinder>((ours, accept) => () => accept(ours), ofTable);
  const accessTokens = finder();
  const plants: PlantTable = { client, name: requireVariable(environment, ENVIRONMENT.plantsTable) };
  const steps: Readonly<Record<OperationName, Operation>> = {
    createPlant: createPlant(accessTokens, createIn(plants)),
  };
  return async (invocation) => steps[requireOperation(invocation.event)](invocation);
}
