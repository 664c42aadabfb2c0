import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { freeAddress, shell, startServer } from '../process.ts';
import { responds, send, tokenFrom } from './http.ts';
import { grantByPage, partOfPage } from './page.ts';
import type { Provider } from './provider.ts';

const VERSION = '26.7.3';
const DISTRIBUTION = `org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`;

/** Of a realm, after its address. */
const TOKEN_PATH = '/protocol/openid-connect/token';

interface ClientScope {
  readonly name: string;
  readonly protocolMappers?: readonly object[];
}

/**
 * Starts Keycloak in its development mode, whose database is a file, with a realm, and follows the page's steps.
 * @param cwd an empty folder
 */
export async function startKeycloak(cwd: string): Promise<Provider> {
  await shell(
    `mvn --batch-mode --quiet dependency:copy -Dartifact=${DISTRIBUTION} -DoutputDirectory=.
     tar --extract --strip-components=1 --file=keycloak-quarkus-dist-${VERSION}.tar.gz`,
    { cwd },
  );
  const origin = await freeAddress();
  const password = randomUUID();
  const admin = { KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: password };
  const { port } = new URL(origin);
  const end = await startServer(
    ['bin/kc.sh', 'start-dev', '--http-host=127.0.0.1', `--http-port=${port}`, '--cache=local'],
    { cwd, env: { ...process.env, ...admin } },
    () => responds(`${origin}/realms/master/.well-known/openid-configuration`),
  );

  const addresses = { 'https://HOST': origin };
  const endpoint = `${origin}/realms/company${TOKEN_PATH}`;

  /** Calls the admin API. The token is valid for a minute only, so each call gets one. */
  async function call<Result>(method: string, address: string, body?: object): Promise<Result> {
    const login = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password };
    const token = await tokenFrom(`${origin}/realms/master${TOKEN_PATH}`, login);
    const headers = { authorization: `Bearer ${token}` };
    return send(`${origin}/admin/realms${address}`, { method, headers, ...(body && { body }) });
  }

  await call('POST', '', { realm: 'company', enabled: true });
  // On a busy machine, kcadm.sh takes longer than the minute for which its login is valid.
  await call('PUT', '/master', { accessTokenLifespan: 600 });
  const env = {
    PATH: `${path.join(cwd, 'bin')}:${process.env.PATH}`,
    KC_CLI_PASSWORD: password,
    // Where kcadm.sh keeps its login.
    KC_OPTS: `-Duser.home=${cwd}`,
  };
  const printed = await shell(partOfPage('sh keycloak setup', addresses), { cwd, env });
  const secret = printed.trim().split('\n').at(-1);

  /** Gets a token of another client, which differs from the page's in what is given. */
  async function grantOther(scope: string | undefined, attributes: object = {}): Promise<string> {
    const client = { clientId: randomUUID(), secret: randomUUID() };
    await call('POST', '/company/clients', {
      ...client,
      serviceAccountsEnabled: true,
      attributes,
      ...(scope && { defaultClientScopes: [scope] }),
    });
    const form = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.secret,
    };
    return tokenFrom(endpoint, form);
  }

  const keyProviders = '/company/components';
  return {
    name: 'keycloak',
    version: VERSION,
    addresses,
    grant: () => grantByPage('keycloak', addresses, String(secret), cwd),
    withoutAudience: () => grantOther(undefined),
    withoutScope: async () => {
      const scopes = await call<ClientScope[]>('GET', '/company/client-scopes');
      const mappers = scopes.find(({ name }) => name === 'plants.create')?.protocolMappers ?? [];
      await call('POST', '/company/client-scopes', {
        name: 'not-in-token',
        protocol: 'openid-connect',
        attributes: { 'include.in.token.scope': 'false' },
        protocolMappers: mappers.map((mapper) => ({ ...mapper, id: undefined })),
      });
      return grantOther('not-in-token');
    },
    idTokenFault: 'wrong typ',
    idToken: async () => {
      const secrets = { client: randomUUID(), user: randomUUID() };
      const client = { clientId: 'plants', secret: secrets.client, directAccessGrantsEnabled: true };
      await call('POST', '/company/clients', client);
      await call('POST', '/company/users', {
        username: 'ada',
        enabled: true,
        firstName: 'Ada',
        lastName: 'Example',
        email: 'ada@example.com',
        credentials: [{ type: 'password', value: secrets.user }],
      });
      const form = {
        grant_type: 'password',
        scope: 'openid',
        client_id: 'plants',
        client_secret: secrets.client,
        username: 'ada',
        password: secrets.user,
      };
      return tokenFrom(endpoint, form, 'id_token');
    },
    shortLived: () => grantOther('plants.create', { 'access.token.lifespan': '1' }),
    rotate: async () => {
      const all = await call<{ id: string; providerId: string }[]>('GET', keyProviders);
      const old = all.find(({ providerId }) => providerId === 'rsa-generated');
      await call('POST', keyProviders, {
        name: 'next',
        providerId: 'rsa-generated',
        providerType: 'org.keycloak.keys.KeyProvider',
        config: { priority: ['200'] },
      });
      await call('DELETE', `${keyProviders}/${old?.id}`);
    },
    // Never the same kid: it is a hash of the key.
    disable: async () => {
      const [client] = await call<{ id: string }[]>('GET', '/company/clients?clientId=shop');
      await call('PUT', `/company/clients/${client?.id}`, { ...client, enabled: false });
    },
    end,
  };
}
