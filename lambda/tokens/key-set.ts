import http from 'node:http';
import https from 'node:https';
import { createLocalJWKSet, type JWK } from 'jose';
import { Failure } from '../errors.ts';
import type { ForeignName } from '../faults.ts';
import { ATTEMPT_MS } from '../limits.ts';
import { isLoopback } from '../loopback.ts';
import type { NoKeySet } from './json-web-token-faults.ts';
import { MAX_KEY_SET_BYTES } from './json-web-token-limits.ts';

/** The keys of an identity provider. */
export interface KeySet {
  /** Finds the key with which a token was signed. */
  readonly find: ReturnType<typeof createLocalJWKSet>;
  /** The claim `iss` of the access tokens. */
  readonly issuer: string;
}

/**
 * Fetches the public keys of an identity provider, whose address is in its metadata (OpenID Connect Discovery 1.0 §4).
 * @param issuer its https address; http only on this machine
 * @param signal ends it at the request's deadline; each of the two requests has {@link ATTEMPT_MS}
 * @throws Failure 50301 if the provider does not respond, or not with keys
 */
export async function fetchKeySet(issuer: string, signal: AbortSignal): Promise<KeySet> {
  const scheme = issuer.slice(0, issuer.indexOf('/'));
  const base = issuer.replace(/\/$/, '');
  const metadata = await getJson(`${base}/.well-known/openid-configuration`, scheme, signal);
  // Otherwise one issuer could speak for another (§4.3).
  if (metadata.issuer !== issuer) throw noKeySet('other issuer');
  if (typeof metadata.jwks_uri !== 'string') throw noKeySet('no jwks_uri');
  const { keys } = await getJson(metadata.jwks_uri, scheme, signal);
  // What is no key is ignored (RFC 7517 §5): jose would refuse the whole set for it.
  const usable = Array.isArray(keys) ? keys.filter(isKey) : [];
  if (usable.length === 0) throw noKeySet('no keys');
  // The access tokens of AD FS have another issuer than its ID tokens ([MS-OIDCE], OpenID Provider Metadata).
  const { access_token_issuer: own } = metadata;
  return { find: createLocalJWKSet({ keys: usable }), issuer: typeof own === 'string' ? own : issuer };
}

function isKey(value: unknown): value is JWK {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function noKeySet(reason: NoKeySet | ForeignName): Failure {
  return new Failure('UNAVAILABLE', { fault: `no key set: ${reason}` as ForeignName });
}

/** @param scheme the only one that is allowed, `https:` or `http:` */
async function getJson(
  address: string,
  scheme: string,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const url = URL.parse(address);
  // Without TLS only on this machine, for `npm start`.
  const isTrusted = url?.protocol === scheme && (scheme === 'https:' || isLoopback(url.hostname));
  if (!isTrusted) throw noKeySet('not https');
  const body = await get(url, signal);
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    throw noKeySet('not JSON');
  }
}

/** Not `fetch`, which would load undici. Redirects are not followed, and no connection stays open for a frozen process to lose. */
function get(url: URL, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const outgoing = request(url, { agent: false, signal, headers: { accept: 'application/json' } });
    const fail = (reason: NoKeySet | ForeignName) => {
      clearTimeout(timer);
      reject(noKeySet(reason));
      outgoing.destroy();
    };
    const timer = setTimeout(fail, ATTEMPT_MS, 'timeout');
    const onError = ({ code }: NodeJS.ErrnoException) =>
      fail(signal.aborted ? 'deadline' : (String(code) as ForeignName));
    outgoing.on('error', onError);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      incoming.on('error', onError);
      if (incoming.statusCode !== 200) return fail(`status ${incoming.statusCode}` as ForeignName);
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > MAX_KEY_SET_BYTES) fail('too large');
      });
      incoming.on('end', () => {
        clearTimeout(timer);
        resolve(Buffer.concat(chunks));
      });
    });
    outgoing.end();
  });
}
