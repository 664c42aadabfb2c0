import type { Options, Values } from '../cli/command.ts';
import { UsageError } from '../cli/command-line.ts';
import { printError } from '../cli/print.ts';
import { isOpen, whoGetsIn } from '../infra/identity-provider.ts';
import type { AcceptMore } from '../lambda/tokens/access-token-table.ts';

/** The option of `npm start` for an identity provider. */
export const PROVIDER_OPTION = {
  'identity-provider': {
    value: 'JSON',
    about:
      'also accept the JSON Web Tokens of this provider: the setting identityProvider of a stage, as JSON',
  },
} as const satisfies Options;

/**
 * Reads the option, and warns of a provider that is open to whoever gets a token for the audience.
 * @returns what accepts its tokens; nothing without the option
 * @throws UsageError if it is not such a setting
 */
export async function readProvider(values: Values<typeof PROVIDER_OPTION>): Promise<readonly AcceptMore[]> {
  const { 'identity-provider': text } = values;
  if (text === undefined) return [];
  const { localIdentityProvider } = await import('../infra/identity-provider-setting.ts');
  const { data, error } = localIdentityProvider.safeParse(fromJson(text));
  if (error) {
    const [{ path = [], message = '' } = {}] = error.issues;
    throw new UsageError(`${['--identity-provider', ...path].join(': ')}: ${message}.`);
  }
  if (isOpen(data)) printError(`Without scope and allowedClients, ${whoGetsIn(data)} gets in.`);
  const { JsonWebTokens } = await import('../lambda/tokens/json-web-tokens.ts');
  // Beside its own token, which this machine needs.
  return [(finder) => new JsonWebTokens(data, finder())];
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      `--identity-provider must be JSON, such as {"issuer":"https://a.example","audience":"b"}.`,
    );
  }
}
