import { createPlant } from './create-plant.ts';
import { makeHandler } from './envelope.ts';
import { ENVIRONMENT, optionalList, requireVariable } from './environment.ts';
import { AccessTokenTable } from './store/access-token-table.ts';
import { PlantTable } from './store/plant-table.ts';
import { documentClient } from './store/store.ts';

const client = documentClient();

const operation = createPlant({
  accessTokens: new AccessTokenTable(client, requireVariable(ENVIRONMENT.accessTokensTable)),
  plants: new PlantTable(client, requireVariable(ENVIRONMENT.plantsTable)),
});

/** The entry point for the Lambda runtime. */
export const handler = makeHandler(operation, {
  writeLog: (line) => console.info(line),
  allowedOrigins: optionalList(ENVIRONMENT.allowedOrigins),
  version: process.env[ENVIRONMENT.functionVersion],
  traceHeader: () => process.env[ENVIRONMENT.traceHeader],
});
