import type { AcceptMore, TokenFinder } from './access-token-table.ts';
import { type IdentityProvider, JsonWebTokens } from './json-web-tokens.ts';

/**
 * Accepts the tokens of the stage's identity provider. The bundler knows whether the stage has the variable (`infra/bundle.ts`), and else
 * leaves out what only this uses.
 */
export const acceptIdentityProvider: AcceptMore = (finder) =>
  process.env.IDENTITY_PROVIDER ? verifier(JSON.parse(process.env.IDENTITY_PROVIDER), finder) : finder();

/** Without tokens of our own, there is no table. */
function verifier(provider: IdentityProvider, finder: () => TokenFinder): TokenFinder {
  return new JsonWebTokens(provider, provider.ownTokens === false ? undefined : finder());
}
