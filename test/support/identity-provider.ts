import { createPrivateKey, sign } from 'node:crypto';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { listen } from '../../local/listen.ts';
import { trustedCertificate } from './certificate.ts';

/** The audience of its tokens. */
export const AUDIENCE = 'https://plants.example';

/** Makes a private key as a JSON Web Key. @param modulusLength the bits of an RSA key */
export async function makeKey(kid: string, alg = 'RS256', modulusLength = 2_048): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength });
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}

/** Signs claims. @param header changes */
export function signed(key: JWK, claims: object, header: object = {}): Promise<string> {
  const protectedHeader = { alg: String(key.alg), kid: key.kid, typ: 'at+jwt', ...header };
  return new SignJWT({ ...claims }).setProtectedHeader(protectedHeader).sign(key);
}

/** Signs a header and claims that may be any text, also what no library would sign. */
export function signedText(key: JWK, header: string, claims: string): string {
  const content = [header, claims].map((text) => Buffer.from(text).toString('base64url')).join('.');
  const signature = sign(
    'sha256',
    Buffer.from(content),
    createPrivateKey({ key: { ...key }, format: 'jwk' }),
  );
  return `${content}.${signature.toString('base64url')}`;
}

/** Starts a real OpenID provider with one client and one key, on a free port. @param isPlain without TLS */
export async function startIdentityProvider(isPlain = false) {
  const server = isPlain ? http.createServer() : https.createServer(trustedCertificate());
  const address = await listen(server);
  const issuer = isPlain ? address : address.replace('http:', 'https:');
  const requests: string[] = [];
  let respond: RequestListener;
  server.on('request', (request, response) => {
    requests.push(String(request.url));
    respond(request, response);
  });
  const first = await makeKey('first');
  const use = (...keys: JWK[]) => {
    respond = new Provider(issuer, configuration(keys)).callback();
  };
  use(first);
  return {
    issuer,
    first,
    /** The paths of all requests so far. */
    requests,
    /** Replaces its keys. */
    use,
    /** Replaces all that it responds. */
    play: (listener: RequestListener) => {
      respond = listener;
    },
    /** Gets a token by a client-credentials grant (RFC 6749 §4.4). */
    grant: async (): Promise<string> => {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'create',
        resource: AUDIENCE,
      });
      const headers = { authorization: `Basic ${btoa('shop:secret')}` };
      const response = await fetch(`${issuer}/token`, { method: 'POST', headers, body });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function configuration(keys: JWK[]) {
  const jwt = { sign: { alg: keys[0]?.alg } };
  const plants = { scope: 'create read', accessTokenFormat: 'jwt', jwt };
  const client = { client_id: 'shop', client_secret: 'secret', grant_types: ['client_credentials'] };
  return {
    jwks: { keys },
    clients: [{ ...client, redirect_uris: [], response_types: [] }],
    scopes: ['create', 'read'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: { enabled: true, getResourceServerInfo: () => plants },
    },
  };
}
