import { makeService } from './service.ts';
import { documentClient } from './store/store.ts';
import type { AccessTokenTable } from './tokens/access-token-table.ts';
import { JsonWebTokens } from './tokens/json-web-tokens.ts';

/** The bundler knows whether the stage has the variable (`infra/bundle.ts`), and else leaves out what only this uses. */
const withIdentityProvider = process.env.IDENTITY_PROVIDER
  ? (table: AccessTokenTable) => new JsonWebTokens(JSON.parse(String(process.env.IDENTITY_PROVIDER)), table)
  : undefined;

/** The function as it is deployed: what `init.mjs` loads, as a bundle, in a process whose environment is that of a stage. */
export const { handler, connect } = makeService(
  process.env,
  documentClient(process.env),
  withIdentityProvider,
);
