import { runInNewContext } from 'node:vm';
import type { IdentityProvider } from '../../lambda/tokens/json-web-tokens.ts';
import { blocksOf } from '../../test/documents/documents.ts';
import { shell } from '../process.ts';

/**
 * Reads the code of the page that belongs to a provider.
 * @param heading the words of a block after its fence: the language, the provider, and which part it is, such as `sh keycloak setup`
 * @param addresses what replaces the page's placeholders
 * @returns all blocks with this heading, in the page's order
 * @throws Error if there is none
 */
export function partOfPage(heading: string, addresses: Readonly<Record<string, string>> = {}): string {
  const blocks = blocksOf('docs/identity-provider.md', heading);
  if (blocks.length === 0) throw new Error(`The page has no block "${heading}".`);
  return Object.entries(addresses).reduce((text, [from, to]) => text.replaceAll(from, to), blocks.join('\n'));
}

/** The page's setting `identityProvider` for a provider. */
export function settingsOfPage(
  provider: string,
  addresses: Readonly<Record<string, string>>,
): IdentityProvider {
  return runInNewContext(`({${partOfPage(`ts ${provider} settings`, addresses)}}).identityProvider`);
}

/**
 * Gets an access token by the page's steps.
 * @param secret what is typed when they ask for it
 * @throws Error if the provider refuses
 */
export async function grantByPage(
  provider: string,
  addresses: Readonly<Record<string, string>>,
  secret: string,
  cwd: string,
): Promise<string> {
  const steps = [partOfPage(`sh ${provider} token`, addresses), partOfPage('sh any token')];
  const commands = [...steps, 'printf "\\n%s" "$PLANT_STORE_TOKEN"'].join('\n');
  const printed = await shell(commands, { cwd, input: `${secret}\n` });
  // The steps print a question before it, and go on without it.
  const token = printed.split('\n').at(-1);
  if (!token) throw new Error('The provider gave no token.');
  return token;
}
