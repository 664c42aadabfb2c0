import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeKey } from '../../test/support/identity-provider.ts';
import { freeAddress, shell, startServer } from '../process.ts';
import { Browser, responds, tokenFrom } from './http.ts';
import { grantByPage, partOfPage } from './page.ts';
import type { Provider } from './provider.ts';

/** That of Spring Boot 4.0.7, which pom.xml names. */
const VERSION = '7.0.6';

/**
 * Builds a Spring Authorization Server with the files of the page, and starts it.
 * @param cwd an empty folder
 */
export async function startSpring(cwd: string): Promise<Provider> {
  cpSync(path.join(import.meta.dirname, 'spring'), cwd, { recursive: true });
  const origin = await freeAddress();
  const addresses = { 'https://HOST': origin };
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
    writeFileSync(path.join(cwd, file), text, { mode: 0o600 });
  };
  write('src/main/resources/application.yml', partOfPage('yaml spring application.yml', addresses));
  write('src/main/java/issuer/SigningKeys.java', partOfPage('java spring SigningKeys.java'));
  const useKey = async (kid: string) => write('keys.json', JSON.stringify({ keys: [await makeKey(kid)] }));
  await useKey('first');
  await shell('mvn --batch-mode --quiet package', { cwd });

  const random = randomUUID();
  // Spring refuses two clients with one secret.
  const secretOf = (client: string) => `${client}-${random}`;
  const password = randomUUID();
  const redirect = 'http://127.0.0.1/signed-in';
  /** Clients that the page does not have. */
  const brief = { 'token.access-token-time-to-live': '1s', ...registration('brief', 'client_credentials') };
  const site = {
    ...registration('site', 'authorization_code'),
    'registration.redirect-uris': redirect,
    'registration.scopes': 'openid',
    // By default, it asks for a code challenge (RFC 7636).
    'require-proof-key': 'false',
  };
  const others = Object.entries({ other: registration('other', 'client_credentials'), brief, site }).flatMap(
    ([name, settings]) =>
      Object.entries({ ...settings, 'registration.client-secret': `{noop}${secretOf(name)}` }).map(
        ([key, value]) => [`spring.security.oauth2.authorizationserver.client.${name}.${key}`, value],
      ),
  );
  const serve = (changes: object = {}) =>
    startServer(
      ['java', '-jar', 'target/issuer.jar'],
      {
        cwd,
        env: {
          ...process.env,
          SHOP_SECRET: secretOf('shop'),
          SPRING_APPLICATION_JSON: JSON.stringify({
            ...Object.fromEntries(others),
            'server.address': '127.0.0.1',
            'server.port': new URL(origin).port,
            'spring.security.user.name': 'ada',
            'spring.security.user.password': password,
            ...changes,
          }),
        },
      },
      () => responds(`${origin}/.well-known/openid-configuration`),
    );
  let end = await serve();

  const token = (client: string, form: Record<string, string>, name?: 'id_token') => {
    const credentials = { client_id: client, client_secret: secretOf(client) };
    return tokenFrom(`${origin}/oauth2/token`, { ...form, ...credentials }, name);
  };
  const grant = { grant_type: 'client_credentials', scope: 'plants.create' };

  return {
    name: 'spring',
    version: VERSION,
    addresses,
    grant: () => grantByPage('spring', addresses, secretOf('shop'), cwd),
    withoutAudience: () => token('other', grant),
    withoutScope: () => token('shop', { grant_type: 'client_credentials' }),
    idTokenFault: 'wrong scope',
    idToken: async () => {
      const browser = new Browser();
      const query = { response_type: 'code', client_id: 'site', scope: 'openid', redirect_uri: redirect };
      const authorize = `${origin}/oauth2/authorize?${new URLSearchParams(query)}`;
      const { location } = await browser.open(authorize);
      const { page } = await browser.open(location);
      const _csrf = /name="_csrf"[^>]*value="([^"]*)"/.exec(page)?.[1] ?? '';
      await browser.open(`${origin}/login`, new URLSearchParams({ username: 'ada', password, _csrf }));
      const signedIn = await browser.open(authorize);
      const code = new URL(signedIn.location).searchParams.get('code') ?? '';
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirect };
      return token('site', form, 'id_token');
    },
    shortLived: () => token('brief', grant),
    rotate: () => useKey('second'),
    replaceUnderSameKid: () => useKey('second'),
    // Its clients are those of its configuration.
    disable: async () => {
      await end();
      const key = 'spring.security.oauth2.authorizationserver.client.shop.registration.client-id';
      end = await serve({ [key]: 'shop-of-before' });
    },
    end: () => end(),
  };
}

/** The settings of a client. */
function registration(id: string, grantType: string): Record<string, string> {
  return {
    'registration.client-id': id,
    'registration.client-authentication-methods': 'client_secret_post',
    'registration.authorization-grant-types': grantType,
    'registration.scopes': 'plants.create',
  };
}
