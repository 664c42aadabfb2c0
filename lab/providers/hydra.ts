import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeKey } from '../../test/support/identity-provider.ts';
import { freeAddress, shell, startServer } from '../process.ts';
import { Browser, responds, send, tokenFrom } from './http.ts';
import { grantByPage, partOfPage } from './page.ts';
import type { Provider } from './provider.ts';

const VERSION = '2.3.0';
/** What its own go.mod replaces, which Go ignores in a dependency. */
const REPLACED = 'github.com/gobuffalo/pop/v6=github.com/ory/pop/v6@v6.2.1-0.20241121111754-e5dfc0f3344b';
/** The set of the keys with which it signs access tokens. */
const KEYS = 'hydra.jwt.access-token';

/**
 * Builds Ory Hydra, starts it with the page's configuration and an SQLite database in memory, and follows the page's steps.
 * @param cwd an empty folder
 */
export async function startHydra(cwd: string): Promise<Provider> {
  await shell(
    `go mod init example.com/build
     go mod edit -replace ${REPLACED}
     go get -tool github.com/ory/hydra/v2@v${VERSION}
     go build -tags sqlite -o bin/hydra github.com/ory/hydra/v2`,
    { cwd },
  );
  const [origin, admin] = [await freeAddress(), await freeAddress()];
  const addresses = { 'https://HOST': origin, 'http://127.0.0.1:4445': admin };
  writeFileSync(path.join(cwd, 'hydra.yml'), partOfPage('yaml hydra hydra.yml', addresses));
  const end = await startServer(
    ['bin/hydra', 'serve', 'all', '--dev', '--config', 'hydra.yml'],
    {
      cwd,
      env: {
        ...process.env,
        DSN: 'memory',
        SECRETS_SYSTEM: randomUUID(),
        SERVE_PUBLIC_HOST: '127.0.0.1',
        SERVE_PUBLIC_PORT: new URL(origin).port,
        SERVE_ADMIN_HOST: '127.0.0.1',
        SERVE_ADMIN_PORT: new URL(admin).port,
        URLS_LOGIN: `${origin}/login`,
        URLS_CONSENT: `${origin}/consent`,
        SQA_OPT_OUT: 'true',
      },
    },
    () => responds(`${origin}/.well-known/openid-configuration`),
  );

  const call = <Result>(method: string, address: string, body?: object) =>
    send<Result>(`${admin}/admin${address}`, { method, ...(body && { body }) });
  const endpoint = `${origin}/oauth2/token`;

  const env = { PATH: `${path.join(cwd, 'bin')}:${process.env.PATH}` };
  const printed = await shell(partOfPage('sh hydra setup', addresses), { cwd, env });
  const secret = /^CLIENT SECRET\s+(\S+)/m.exec(printed)?.[1] ?? '';
  const shop = { grant_type: 'client_credentials', client_id: 'shop', client_secret: secret };
  const scope = 'plants.create';

  return {
    name: 'hydra',
    version: VERSION,
    addresses,
    grant: () => grantByPage('hydra', addresses, secret, cwd),
    withoutAudience: () => tokenFrom(endpoint, { ...shop, scope }),
    withoutScope: () => tokenFrom(endpoint, { ...shop, audience: 'plants' }),
    idTokenFault: 'wrong typ',
    idToken: async () => {
      const site = { client_id: 'plants', client_secret: randomUUID() };
      const redirect = 'http://127.0.0.1/signed-in';
      await call('POST', '/clients', {
        ...site,
        grant_types: ['authorization_code'],
        redirect_uris: [redirect],
        scope: 'openid',
        token_endpoint_auth_method: 'client_secret_post',
      });
      const browser = new Browser();
      const query = {
        response_type: 'code',
        client_id: 'plants',
        scope: 'openid',
        redirect_uri: redirect,
        state: randomUUID(),
      };
      let { location } = await browser.open(`${origin}/oauth2/auth?${new URLSearchParams(query)}`);
      for (const [kind, body] of Object.entries({
        login: { subject: 'ada' },
        consent: { grant_scope: ['openid'] },
      })) {
        const challenge = `${kind}_challenge=${new URL(location).searchParams.get(`${kind}_challenge`)}`;
        const accepted = `/oauth2/auth/requests/${kind}/accept?${challenge}`;
        const { redirect_to } = await call<{ redirect_to: string }>('PUT', accepted, body);
        ({ location } = await browser.open(redirect_to));
      }
      const code = new URL(location).searchParams.get('code') ?? '';
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirect, ...site };
      return tokenFrom(endpoint, form, 'id_token');
    },
    shortLived: async () => {
      const brief = { client_id: 'brief', client_secret: randomUUID() };
      await call('POST', '/clients', {
        ...brief,
        grant_types: ['client_credentials'],
        audience: ['plants'],
        scope,
        token_endpoint_auth_method: 'client_secret_post',
        access_token_strategy: 'jwt',
        client_credentials_grant_access_token_lifespan: '1s',
      });
      return tokenFrom(endpoint, { ...shop, ...brief, scope, audience: 'plants' });
    },
    rotate: async () => {
      const { keys } = await call<{ keys: { kid: string }[] }>('GET', `/keys/${KEYS}`);
      await call('POST', `/keys/${KEYS}`, { alg: 'RS256', use: 'sig', kid: 'second' });
      for (const { kid } of keys) await call('DELETE', `/keys/${KEYS}/${kid}`);
    },
    replaceUnderSameKid: () => makeKey('second').then((key) => call('PUT', `/keys/${KEYS}/second`, key)),
    disable: () => call('DELETE', '/clients/shop'),
    end,
  };
}
