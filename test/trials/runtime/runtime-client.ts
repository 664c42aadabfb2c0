import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `npm run test:runtime` installs this folder's package.json: a compiler is not part of what `npm ci` needs. */
export const INSTALLED = fileURLToPath(
  new URL('../../../node_modules/.cache/aws-lambda-ric', import.meta.url),
);

/** AWS's runtime client for Node.js: the program that runs the function in Lambda. */
export const RUNTIME_CLIENT = path.join(INSTALLED, 'node_modules/aws-lambda-ric/index.mjs');
