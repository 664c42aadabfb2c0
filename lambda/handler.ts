import { ENVIRONMENT, optionalList } from './environment.ts';
import { makeHandler } from './middleware.ts';
import { operations } from './operations.ts';
import { documentClient } from './store/store.ts';

/** The entry point for the Lambda runtime. */
export const handler = makeHandler(operations(documentClient()), {
  writeLog: (line) => console.info(line),
  allowedOrigins: optionalList(ENVIRONMENT.allowedOrigins),
  version: process.env[ENVIRONMENT.functionVersion],
  traceHeader: () => process.env[ENVIRONMENT.traceHeader],
});
