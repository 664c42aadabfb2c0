import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import type { IdentityProvider } from '../../lambda/store/json-web-tokens.ts';
import { shell } from './process.ts';

const PAGE = readFileSync(new URL('../../docs/identity-provider.md', import.meta.url), 'utf8');

/**
 * Reads the code of the page that belongs to a provider. The words after the language of a block say whose it is, and which part:
 * <code>```sh keycloak setup</code>.
 * @param part `setup`, `token` or `settings`, or the name of a file
 * @param addresses what replaces the page's placeholders
 * @returns all blocks of this part, in the page's order
 * @throws Error if there is none
 */
export function partOfPage(
  provider: string,
  part: string,
  addresses: Readonly<Record<string, string>> = {},
): string {
  const blocks = [...PAGE.matchAll(/^( *)```\w+ (\S+) (\S+)\n([\s\S]*?)^ *```$/gm)]
    .filter(([, , whose, which]) => whose === provider && which === part)
    .map(([, indent = '', , , code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
  if (blocks.length === 0) throw new Error(`The page has no block "${provider} ${part}".`);
  return Object.entries(addresses).reduce((text, [from, to]) => text.replaceAll(from, to), blocks.join('\n'));
}

/** The page's setting `identityProvider` for a provider. */
export function settingsOfPage(
  provider: string,
  addresses: Readonly<Record<string, string>>,
): IdentityProvider {
  return runInNewContext(`({${partOfPage(provider, 'settings', addresses)}}).identityProvider`);
}

/**
 * Gets an access token by the page's steps.
 * @param secret what is typed when they ask for it
 * @throws Error if the provider refuses
 */
export function grantByPage(
  provider: string,
  addresses: Readonly<Record<string, string>>,
  secret: string,
  cwd: string,
): Promise<string> {
  const steps = [partOfPage(provider, 'token', addresses), partOfPage('any', 'token')];
  return shell([...steps, 'printf %s "$PLANT_STORE_TOKEN"'].join('\n'), { cwd, input: `${secret}\n` });
}
