import type { RequestListener } from 'node:http';
import { exportSPKI, importJWK, type JWK } from 'jose';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { type IdentityProvider, JsonWebTokens } from '../../../lambda/store/json-web-tokens.ts';
import { AUDIENCE, makeKey, signed, startIdentityProvider } from '../../support/identity-provider.ts';
import { sendPart } from '../../support/store-behaviors.ts';

const provider = await startIdentityProvider();
const { issuer, first, use, requests } = provider;
afterAll(() => provider.close());
afterEach(() => use(first));

vi.useFakeTimers({ toFake: ['Date'] });
const STARTED = Date.now();
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
/** Starts the verifier of a new process. @returns what finds the name of a token, or the number and the cause of its refusal */
function start(stage: Partial<IdentityProvider> = {}) {
  vi.setSystemTime(STARTED);
  const table = { find: async () => 'of the table' };
  const tokens = new JsonWebTokens({ issuer, audience: AUDIENCE, ...stage }, table);
  return (token: string, { signal } = new AbortController()) =>
    tokens.find(token, signal).catch(({ published, fault }) => [published.error, fault]);
}

const NOW = Math.floor(STARTED / 1000);
const CLAIMS = { iss: issuer, aud: AUDIENCE, client_id: 'shop', scope: 'create', exp: NOW + 7_200 };
const sign = (changes: object = {}, header: object = {}, key = first) =>
  signed(key, { ...CLAIMS, ...changes }, header);
/** A token with another part, and its signature as it was. */
const withPart = (part: number, to: object, token: string) =>
  token
    .split('.')
    .with(part, Buffer.from(JSON.stringify(to)).toString('base64url'))
    .join('.');

test('a granted token is accepted, and every token of another format goes to the table', async () => {
  const find = start();
  expect(await find(await provider.grant())).toBe('shop');
  for (const token of ['plants_0', 'a.b', 'a.b.c.d.e']) expect(await find(token)).toBe('of the table');
});

test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('%s is accepted', async (alg) => {
  const key = await makeKey('another', alg);
  use(first, key);
  expect(await start()(await sign({}, {}, key))).toBe('shop');
});

const COGNITO = { aud: undefined, client_id: AUDIENCE, token_use: 'access' };
const OKTA = { scope: undefined, scp: ['read', 'create'], client_id: undefined, sub: '0oa1' };
const ENTRA = { scope: undefined, roles: ['create'], client_id: undefined, azp: '6e74172b', sub: 'any' };
test.each<[what: string, claims: object, name?: string, stage?: Partial<IdentityProvider>, typ?: string]>([
  ['with one of several audiences', { aud: ['https://a.example', AUDIENCE] }],
  ['with any audience of the stage', { aud: 'b' }, 'shop', { audience: ['a', 'b'] }],
  ['that expired half a minute ago, by other clocks', { exp: NOW - 30 }],
  ['that is valid in half a minute', { nbf: NOW + 30 }],
  ['with a scope among others', { scope: 'read create' }, 'shop', { scope: 'create' }, 'application/at+JWT'],
  ['of Cognito', COGNITO, AUDIENCE, { scope: 'create' }],
  ['of Okta', OKTA, '0oa1', { scope: 'create' }],
  ['of Entra ID', ENTRA, '6e74172b', { scope: 'create' }, 'JWT'],
  ['with its name in another claim', { shop: 'Moss & Co' }, 'Moss & Co', { nameClaim: 'shop' }],
])('a token %s is accepted', async (_, claims, name = 'shop', stage = {}, typ = undefined) => {
  expect(await start(stage)(await sign(claims, { typ }))).toBe(name);
});

describe('refused', async () => {
  /** A stranger's key, with the id of the provider's. */
  const foreign = await makeKey('first');
  const encryption = await makeKey('encryption');
  const weak = { kid: 'weak', kty: 'RSA', n: 'y'.repeat(171), e: 'AQAB' };
  const { kty, n, e } = first;
  const pem = await exportSPKI((await importJWK({ kty, n, e }, 'RS256')) as never);
  const secret = { kty: 'oct', k: Buffer.from(pem).toString('base64url'), alg: 'HS256', kid: 'first' };
  const valid = await sign();
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = valid.replace(/.$/, (last) => String(digits[digits.indexOf(last) ^ 1]));

  type Row = [fault: string, what: string, claims: object, header?: object, key?: JWK, stage?: object];
  test.each<Row | [fault: string, what: string, token: string]>([
    ['wrong alg', 'alg: none', withPart(0, { alg: 'none' }, valid).replace(/[^.]*$/, '')],
    ['wrong alg', 'alg: none, with a signature', withPart(0, { alg: 'none', kid: 'first' }, valid)],
    ['wrong alg', 'HS256 with the public key as its secret', {}, {}, secret],
    ['wrong signature', 'a claim that was changed later', withPart(1, { ...CLAIMS, scope: 'all' }, valid)],
    ['wrong signature', 'another key under a known id', {}, {}, foreign],
    ['wrong signature', 'the key that the token itself has', {}, { jwk: { kty, n: foreign.n, e } }, foreign],
    ['unknown key', 'an unknown id', {}, { kid: 'second' }],
    ['unknown key', 'a key for encryption', {}, {}, encryption],
    ['unusable key', 'an RSA key of 1,024 bits', {}, { kid: 'weak' }],
    ['malformed token', 'no id, and several keys', {}, { kid: undefined }],
    ['wrong iss', 'another issuer', { iss: 'https://other.example' }],
    ['wrong iss', 'the issuer with a slash', { iss: `${issuer}/` }],
    ['wrong aud', 'other audiences', { aud: ['https://other.example', `${AUDIENCE}/`] }],
    ['wrong aud', 'another audience, and the client as an audience', { aud: 'a', client_id: AUDIENCE }],
    ['expired token', 'expired over a minute ago', { exp: NOW - 61 }],
    ['wrong exp', 'no expiry', { exp: undefined }],
    ['wrong nbf', 'valid in over a minute', { nbf: NOW + 120 }],
    ['wrong scope', 'no scope', { scope: undefined }, {}, first, { scope: 'create' }],
    ['wrong scope', 'another scope', { scope: 'create-all' }, {}, first, { scope: 'create' }],
    ['wrong typ', 'a logout token', {}, { typ: 'logout+jwt' }],
    ['wrong token_use', 'an ID token of Cognito', { token_use: 'id' }],
    ['wrong name', 'a name with a line break', { client_id: 'shop\n{}' }],
    ['wrong name', 'a name that is no text', { name: { first: 'A' } }, {}, first, { nameClaim: 'name' }],
    ['malformed token', 'over 8 KB', { groups: 'a'.repeat(6_500) }],
    ['malformed token', 'its last digit mistyped, of which four bits are unused', twin],
  ])('%s: %s', async (fault, _, claims, header = {}, key = first, stage = {}) => {
    const keys = [{ kty, n, e, kid: 'first' }, { ...encryption, d: undefined, use: 'enc' }, weak];
    provider.play(({ url }, response) => {
      response.end(JSON.stringify(url === '/jwks' ? { keys } : { issuer, jwks_uri: `${issuer}/jwks` }));
    });
    const token = typeof claims === 'string' ? claims : await sign(claims, header, key);
    expect(await start(stage)(token)).toEqual([40102, fault]);
  });
});

/** Moves the clock past the time limit of a request to the provider. */
const pastLimit = () => void vi.advanceTimersByTimeAsync(900);

describe('the key set', () => {
  test('is loaded once for a process, also for many requests at once', async () => {
    const find = start();
    const token = await sign({ exp: NOW + 100_000 });
    requests.length = 0;
    const found = await Promise.all(Array.from({ length: 20 }, () => find(token)));
    expect(new Set(found)).toEqual(new Set(['shop']));
    wait(86_400_000);
    expect(await find(token)).toBe('shop');
    expect(requests).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  test('is loaded again for an unknown key, at most once in five minutes', async () => {
    const [find, second] = [start(), await makeKey('second')];
    const [old, rotated] = [await sign(), await sign({}, {}, second)];
    const forged = await sign({}, { kid: 'third' });
    expect(await find(old)).toBe('shop');
    use(second);
    requests.length = 0;
    wait(299_000);
    expect([await find(rotated), requests]).toEqual([[40102, 'unknown key'], []]);
    wait(1_000);
    expect(await find(rotated)).toBe('shop');
    expect(await find(old)).toEqual([40102, 'unknown key']);
    for (let count = 0; count < 10; count += 1) expect(await find(forged)).toEqual([40102, 'unknown key']);
    expect(requests).toHaveLength(2);
  });

  test('stays in use while the provider is down; only an unknown key then gets 50301, until it is back', async () => {
    const [find, known, unknown] = [start(), await sign(), await sign({}, { kid: 'second' })];
    expect(await find(known)).toBe('shop');
    wait(300_000);
    provider.play((_, response) => response.writeHead(503).end());
    const DOWN = [50301, 'no key set: status 503'];
    expect([await find(unknown), await find(known)]).toEqual([DOWN, 'shop']);
    use(first);
    wait(1_999);
    expect(await find(unknown)).toEqual(DOWN);
    wait(1);
    expect(await find(unknown)).toEqual([40102, 'unknown key']);
  });

  const jwks_uri = `${issuer}/jwks`;
  test.each<[fault: string, what: string, metadata: object, keys?: unknown, status?: number]>([
    ['too large', 'of 1 MB', {}, { keys: [first], x: 'x'.repeat(1_000_000) }],
    ['not JSON', 'that is no JSON', {}, '<html>'],
    ['no keys', 'without keys', {}, { keys: [] }],
    ['no keys', 'whose keys are texts', {}, { keys: ['first'] }],
    ['status 302', 'that is elsewhere', {}, { keys: [first] }, 302],
    ['not https', 'without TLS', { jwks_uri: jwks_uri.replace('https', 'http') }],
    ['other issuer', 'of another issuer', { issuer: `${issuer}/` }],
  ])('lets nobody in: %s, %s', async (fault, _, metadata, keys = {}, status = 200) => {
    provider.play(({ url }, response) => {
      const isKeys = url === '/jwks';
      response.writeHead(isKeys ? status : 200, { location: `${issuer}/elsewhere` });
      const body = isKeys ? keys : { issuer, jwks_uri, ...metadata };
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    expect(await start()(await sign())).toEqual([50301, `no key set: ${fault}`]);
  });

  test.each<[fault: string, what: string, listener: RequestListener]>([
    ['timeout', 'hangs', pastLimit],
    ['timeout', 'hangs in the body', (_, response) => sendPart(response, '{').then(pastLimit)],
    [
      'timeout',
      'switches protocols, after which Node has no more events of the request',
      (_, response) => {
        response.writeHead(101, { connection: 'Upgrade', upgrade: 'x' }).flushHeaders();
        response.on('close', pastLimit);
      },
    ],
    ['ECONNRESET', 'closes the connection', (_, response) => response.destroy()],
    [
      'ECONNRESET',
      'closes it in the body',
      (_, response) => sendPart(response, '{').then(() => response.destroy()),
    ],
  ])('lets nobody in: %s, of a provider that %s', async (fault, _, listener) => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    provider.play(listener);
    expect(await start()(await sign())).toEqual([50301, `no key set: ${fault}`]);
    expect(vi.getTimerCount()).toBe(0);
    vi.useFakeTimers({ toFake: ['Date'] });
  });

  test('is not waited for after the deadline of the request', async () => {
    const stop = new AbortController();
    provider.play(() => stop.abort());
    expect(await start()(await sign(), stop)).toEqual([50301, 'no key set: deadline']);
  });

  test('is loaded without TLS from this machine only', async () => {
    const local = await startIdentityProvider(true);
    expect(await start({ issuer: local.issuer })(await local.grant())).toBe('shop');
    local.close();
    expect(await start({ issuer: 'http://a.example' })(await sign())).toEqual([
      50301,
      'no key set: not https',
    ]);
  });
});
