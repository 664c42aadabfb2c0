import { AccessTokens } from './access-tokens.ts';
import { createPlantHandler } from './create-plant.ts';
import { documentClient } from './document-client.ts';
import { ENVIRONMENT, requireVariable } from './environment.ts';
import { Plants } from './plants.ts';

const client = documentClient();

/** What the Lambda runtime calls. */
export const handler = createPlantHandler({
  accessTokens: new AccessTokens(client, requireVariable(ENVIRONMENT.accessTokensTable)),
  plants: new Plants(client, requireVariable(ENVIRONMENT.plantsTable)),
  writeLog: (line) => console.info(line),
  version: process.env[ENVIRONMENT.functionVersion],
});
