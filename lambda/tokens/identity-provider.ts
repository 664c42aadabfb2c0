import type { AcceptMore } from './access-token-table.ts';
import { JsonWebTokens } from './json-web-tokens.ts';

/**
 * Accepts the tokens of the stage's identity provider. The bundler knows whether the stage has the variable (`infra/bundle.ts`), and else
 * leaves out what only this uses.
 */
export const acceptIdentityProvider: AcceptMore = (finder) =>
  process.env.IDENTITY_PROVIDER
    ? new JsonWebTokens(JSON.parse(String(process.env.IDENTITY_PROVIDER)), finder)
    : finder;
