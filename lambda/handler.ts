import { createPlant } from './create-plant.ts';
import { makeHandler } from './envelope.ts';
import { ENVIRONMENT, optionalList } from './environment.ts';
import { documentClient } from './store/store.ts';
import { openStores } from './store/stores.ts';

/** The entry point for the Lambda runtime. */
export const handler = makeHandler(createPlant(openStores(documentClient())), {
  writeLog: (line) => console.info(line),
  allowedOrigins: optionalList(ENVIRONMENT.allowedOrigins),
  version: process.env[ENVIRONMENT.functionVersion],
  traceHeader: () => process.env[ENVIRONMENT.traceHeader],
});
