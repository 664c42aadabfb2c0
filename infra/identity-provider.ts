import type { IdentityProvider } from '../lambda/tokens/json-web-tokens.ts';

/** Whether whoever gets a token for the audience may create plants. */
export function isOpen({ scope, allowedClients }: IdentityProvider): boolean {
  return scope === undefined && allowedClients === undefined;
}

/** Says of an open provider who gets in. */
export function whoGetsIn({ issuer, audience }: IdentityProvider): string {
  return `whoever gets a token of ${issuer} for ${[audience].flat().join(' or ')}`;
}

/** A stage that may have the setting. */
interface Stage {
  readonly identityProvider?: IdentityProvider | undefined;
}

/** The function of a stage with the setting has it as JSON, and the code that reads it (`lambda/tokens/identity-provider.ts`). */
export const IDENTITY_PROVIDER = {
  variable: 'IDENTITY_PROVIDER',
  value: ({ identityProvider }: Stage) => identityProvider && JSON.stringify(identityProvider),
  warning: ({ identityProvider }: Stage) =>
    identityProvider && isOpen(identityProvider)
      ? `without scope and allowedClients, ${whoGetsIn(identityProvider)} gets in.`
      : undefined,
  replacesOwnTokens: ({ identityProvider }: Stage) => identityProvider?.ownTokens === false,
} as const;
