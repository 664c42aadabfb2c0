import type { Options, Values } from '../cli/command.ts';
import { UsageError } from '../cli/command-line.ts';
import { printError } from '../cli/print.ts';
import { isOpen, whoGetsIn } from '../infra/identity-provider.ts';
import type { AcceptMore } from '../lambda/tokens/access-token-table.ts';

/** How `npm start` shows them in its usage. */
export const PROVIDER_USAGE = '[--issuer URL --audience A …]';

/** The options of `npm start` for an identity provider: the setting `identityProvider` of a stage. */
export const PROVIDER_OPTIONS = {
  issuer: { value: 'URL', about: 'also accept the JSON Web Tokens of this identity provider' },
  audience: {
    value: 'A',
    about: 'with --issuer: what the claim aud must have; repeatable, for any of several',
    repeatable: true,
  },
  scope: { value: 'S', about: 'with --issuer: the scope or role that is needed' },
  'allow-client': {
    value: 'NAME',
    about: 'with --issuer: a client that may create plants, and only those named; repeatable',
    repeatable: true,
  },
  'name-claim': {
    value: 'C',
    about: 'with --issuer: the claim that names the client; repeatable, for the path to a nested one',
    repeatable: true,
  },
  'token-type': { value: 'at+jwt', about: 'with --issuer: the only typ that the header may have' },
} as const satisfies Options;

/** The options whose settings have other names. */
const OPTION_OF: Readonly<Record<string, string>> = {
  allowedClients: 'allow-client',
  nameClaim: 'name-claim',
  tokenType: 'token-type',
};

/**
 * Reads the options, and warns of a provider that is open to whoever gets a token for the audience.
 * @returns what accepts its tokens; nothing without any of the options
 * @throws UsageError if a stage could not have them as its setting
 */
export async function readProvider(values: Values<typeof PROVIDER_OPTIONS>): Promise<readonly AcceptMore[]> {
  const {
    issuer,
    audience,
    scope,
    'allow-client': allowedClients,
    'name-claim': nameClaim,
    'token-type': tokenType,
  } = values;
  const given = { issuer, audience, scope, allowedClients, nameClaim, tokenType };
  if (Object.values(given).every((value) => value === undefined)) return [];
  if (issuer === undefined || audience === undefined)
    throw new UsageError('--issuer and --audience can only be used together, and other options need both.');
  const { localIdentityProvider } = await import('../infra/identity-provider-setting.ts');
  const { data, error } = localIdentityProvider.safeParse(given);
  if (error) {
    const [{ path = [], message = '' } = {}] = error.issues;
    const [setting = 'issuer'] = path.map(String);
    throw new UsageError(`--${OPTION_OF[setting] ?? setting}: ${message}.`);
  }
  if (isOpen(data)) printError(`Without --scope and --allow-client, ${whoGetsIn(data)} gets in.`);
  const { JsonWebTokens } = await import('../lambda/tokens/json-web-tokens.ts');
  // Beside its own token, which this machine needs.
  return [(finder) => new JsonWebTokens(data, finder())];
}
