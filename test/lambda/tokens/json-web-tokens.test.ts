import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { CompactEncrypt, exportSPKI, importJWK, type JWK } from 'jose';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyOf } from '../../../contract/examples.ts';
import { createPlant } from '../../../lambda/create-plant.ts';
import { type IdentityProvider, JsonWebTokens } from '../../../lambda/tokens/json-web-tokens.ts';
import { startOperation } from '../../support/function-under-test.ts';
import {
  AUDIENCE,
  makeKey,
  signed,
  signedText,
  startIdentityProvider,
} from '../../support/identity-provider.ts';
import { sendPart } from '../../support/store-behaviors.ts';
import { plantEvent } from '../../support/test-service.ts';

const provider = await startIdentityProvider();
const { issuer, first, use, requests } = provider;
afterAll(() => provider.close());

const printed: unknown[] = [];
beforeEach(() => {
  use(first);
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const method of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...values) => void printed.push(...values));
});

const STARTED = Date.now();
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
/**
 * Starts the function with the verifier of a new process.
 * @returns what sends a request with a token, and gives the name in its line of the log, or the number and the cause of its refusal
 */
function start(stage: Partial<IdentityProvider> = {}) {
  vi.setSystemTime(STARTED);
  const table = { find: async () => 'of the table' };
  const accessTokens = new JsonWebTokens({ issuer, audience: AUDIENCE, ...stage }, table);
  const { handler, lines } = startOperation(createPlant(accessTokens, async () => 'created'));
  return async (token: string, context: Partial<Context> = {}) => {
    const response = await handler(plantEvent(token, bodyOf(1)), context);
    const line = lines.at(-1);
    if (response.statusCode === 200) return line?.token;
    expect(response).toBeRefused(Number(line?.error));
    const parts = token.split('.').filter((part) => part.length > 12);
    expect(parts.filter((part) => JSON.stringify([line, printed]).includes(part))).toEqual([]);
    return [line?.error, line?.fault];
  };
}

const NOW = Math.floor(STARTED / 1000);
const CLAIMS = { iss: issuer, aud: AUDIENCE, client_id: 'shop', scope: 'create', exp: NOW + 7_200 };
const HEADER = { alg: 'RS256', kid: 'first', typ: 'at+jwt' };
const sign = (changes: object = {}, header: object = {}, key = first) =>
  signed(key, { ...CLAIMS, ...changes }, header);
const signedAs = (header: object, claims = JSON.stringify(CLAIMS)) =>
  signedText(first, JSON.stringify(header), claims);
/** A token with another part, and its signature as it was. */
const withPart = (part: number, to: object, token: string) =>
  token
    .split('.')
    .with(part, Buffer.from(JSON.stringify(to)).toString('base64url'))
    .join('.');

/** Replaces what the provider responds as its key set, and parts of its metadata. */
function playKeys(keySet: unknown, metadata: object = {}, status = 200) {
  provider.play(({ url }, response) => {
    const isKeys = url === '/jwks';
    response.writeHead(isKeys ? status : 200, { location: `${issuer}/elsewhere` });
    const body = isKeys ? keySet : { issuer, jwks_uri: `${issuer}/jwks`, ...metadata };
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

test('a granted token is accepted, and our own tokens go to the table', async () => {
  const find = start();
  expect([await find(await provider.grant()), await find('plants_0')]).toEqual(['shop', 'of the table']);
});

const SIZES = ['256', '384', '512'];
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((family) => SIZES.map((size) => family + size));
test.each([...ALGORITHMS, 'EdDSA', 'Ed25519'])('%s is accepted', async (alg) => {
  const key = await makeKey('another', alg);
  use(first, key);
  expect(await start()(await sign({}, {}, key))).toBe('shop');
});

const COGNITO = { aud: undefined, client_id: AUDIENCE, token_use: 'access' };
const OKTA = { scope: undefined, scp: ['read', 'create'], client_id: undefined, sub: '0oa1' };
const ENTRA = { scope: undefined, roles: ['create'], client_id: undefined, azp: '6e74172b', sub: 'any' };
const KUBERNETES = { client_id: undefined, 'kubernetes.io': { serviceaccount: { name: 'garden' } } };
test.each<[what: string, claims: object, name?: string, stage?: Partial<IdentityProvider>, typ?: string]>([
  ['with one of several audiences', { aud: ['https://a.example', AUDIENCE] }],
  ['with any audience of the stage', { aud: 'b' }, 'shop', { audience: ['a', 'b'] }],
  ['that expired half a minute ago, by other clocks', { exp: NOW - 30 }],
  ['that is valid in half a minute', { nbf: NOW + 30 }],
  ['with a scope among others', { scope: 'read create' }, 'shop', { scope: 'create' }, 'application/at+JWT'],
  ['of Cognito', COGNITO, AUDIENCE, { scope: 'create' }],
  ['of Okta', OKTA, '0oa1', { scope: 'create' }],
  ['of Entra ID', ENTRA, '6e74172b', { scope: 'create' }, 'JWT'],
  ['of Keycloak', { typ: 'Bearer', azp: 'moss' }, 'shop', {}, 'JWT'],
  ['with its name in another claim', { shop: 'Moss & Co' }, 'Moss & Co', { nameClaim: 'shop' }],
  ['of Kubernetes', KUBERNETES, 'garden', { nameClaim: ['kubernetes.io', 'serviceaccount', 'name'] }],
  ['with a name of 256 characters', { client_id: 'n'.repeat(256) }, 'n'.repeat(256)],
  ['of an allowed client', {}, 'shop', { allowedClients: ['moss', 'shop'] }],
  ['of the only type', {}, 'shop', { tokenType: 'at+jwt' }, 'application/at+jwt'],
])('a token %s is accepted', async (_, claims, name = 'shop', stage = {}, typ = undefined) => {
  expect(await start(stage)(await sign(claims, { typ }))).toBe(name);
});

describe('refused', async () => {
  /** A stranger's key, with the id of the provider's. */
  const foreign = await makeKey('first');
  const encryption = await makeKey('encryption');
  const weak = { kid: 'weak', kty: 'RSA', n: 'y'.repeat(171), e: 'AQAB' };
  const elliptic = await makeKey('elliptic', 'ES384');
  const { kty, n, e } = first;
  const pem = await exportSPKI((await importJWK({ kty, n, e }, 'RS256')) as never);
  const secret = { kty: 'oct', k: Buffer.from(pem).toString('base64url'), alg: 'HS256', kid: 'first' };
  const valid = await sign();
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twin = valid.replace(/.$/, (last) => String(digits[digits.indexOf(last) ^ 1]));
  const [header = '', claims = ''] = valid.split('.');
  const encrypted = await new CompactEncrypt(Buffer.from(valid))
    .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A128GCM' })
    .encrypt({ kty, n, e });

  const { d: _, ...known } = elliptic;
  const enc = { ...encryption, d: undefined, use: 'enc' };
  const twice = { kty, n, e, kid: 'twice' };
  const keys = [{ kty, n, e, kid: 'first' }, enc, weak, known, twice, twice];
  const expectRefused = async (token: string, fault: string, stage?: object) => {
    playKeys({ keys });
    expect(await start(stage)(token)).toEqual([40102, fault]);
  };

  test.each<[fault: string, what: string, token: string]>([
    ['opaque token', 'one of oidc-provider', '4hZ0TTUCLNXYsvPu3rqGCQDJ9jJ2sZ5yR8NxKkqYHMu'],
    ['opaque token', 'one of Hydra, with a dot', 'ory_at_jyUeAlmUKo8hGY.cfUwUcoGLj'],
    ['opaque token', 'one of Google, with two dots', 'ya29.c.c0AYnqXlhP'],
    ['opaque token', 'one that begins as an object in base64url does not', 'eab.c.d'],
    ['encrypted token', 'one of five parts', encrypted],
    ['cut token', 'cut in its header', header.slice(0, 20)],
    ['cut token', 'cut in its claims', valid.slice(0, header.length + 20)],
    ['cut token', 'without a signature', `${header}.${claims}.`],
    ['cut token', 'cut in its signature', valid.slice(0, -1)],
    ['cut token', 'cut in a signature with an elliptic curve', (await sign({}, {}, elliptic)).slice(0, -4)],
    ['malformed token', 'four parts', `${valid}.${claims}`],
    ['malformed token', 'a header that is no JSON', `e30x.${claims}.x`],
    ['malformed token', 'its last digit mistyped, of which four bits are unused', twin],
    ['malformed token', 'claims that are a list', signedAs(HEADER, '["shop"]')],
    ['malformed token', 'no claims', signedAs(HEADER, '')],
    ['malformed token', 'claims that are not encoded', signedAs({ ...HEADER, crit: ['b64'], b64: false })],
    ['unsupported header', 'a critical extension', signedAs({ ...HEADER, crit: ['x'], x: 1 })],
    ['wrong alg', 'alg: none', withPart(0, { alg: 'none' }, valid).replace(/[^.]*$/, '')],
    ['wrong alg', 'alg: none, with a signature', withPart(0, { alg: 'none', kid: 'first' }, valid)],
    ['wrong signature', 'a claim that was changed later', withPart(1, { ...CLAIMS, scope: 'all' }, valid)],
  ])('%s: %s', (fault, _what, token) => expectRefused(token, fault));

  const SCOPE = { scope: 'create' };
  const NAME = { nameClaim: 'name' };
  test.each<[fault: string, what: string, claims: object, stage?: Partial<IdentityProvider>]>([
    ['oversized token', 'over 8 KB', { groups: 'a'.repeat(6_500) }],
    ['wrong iss', 'another issuer', { iss: 'https://other.example' }],
    ['wrong iss', 'the issuer with a slash', { iss: `${issuer}/` }],
    ['wrong iss', 'the issuer in a list', { iss: [issuer] }],
    ['wrong aud', 'other audiences', { aud: ['https://other.example', `${AUDIENCE}/`, `${AUDIENCE} `] }],
    ['wrong aud', 'the audience in upper case', { aud: AUDIENCE.toUpperCase() }],
    ['wrong aud', 'the audience in an object', { aud: { [AUDIENCE]: true } }],
    ['wrong aud', 'the audience in a list in a list', { aud: [[AUDIENCE]] }],
    ['wrong aud', 'another audience, and the client as an audience', { aud: 'a', client_id: AUDIENCE }],
    ['expired token', 'expired over a minute ago', { exp: NOW - 61 }],
    ['wrong exp', 'no expiry', { exp: undefined }],
    ['wrong exp', 'an expiry that is a text', { exp: String(CLAIMS.exp) }],
    ['wrong nbf', 'valid in over a minute', { nbf: NOW + 120 }],
    ['wrong iat', 'a time of issue that is no number', { iat: 'now' }],
    ['wrong scope', 'no scope', { scope: undefined }, SCOPE],
    ['wrong scope', 'another scope', { scope: 'create-all' }, SCOPE],
    ['wrong scope', 'a role with a space', { scope: '', roles: ['never create'] }, SCOPE],
    ['wrong typ', 'a logout token of any type', { events: {} }],
    ['wrong typ', 'an ID token, by its hash of an access token', { at_hash: 'x' }],
    ['wrong typ', 'an ID token, by its hash of a code', { c_hash: 'x' }],
    ['wrong typ', 'an ID token, by its hash of a state', { s_hash: 'x' }],
    ['wrong typ', 'an ID token, by its nonce', { nonce: 'x' }],
    ['wrong typ', 'an ID token of Keycloak', { typ: 'ID' }],
    ['wrong token_use', 'an ID token of Cognito', { token_use: 'id' }],
    ['bound token', 'bound to a key of DPoP', { cnf: { jkt: 'x' } }],
    ['bound token', 'bound to a certificate', { typ: 'DPoP', cnf: { 'x5t#S256': 'x' } }],
    ['no name', 'no claim for a name', { client_id: undefined }],
    ['no name', 'a name that is no text', { client_id: undefined, name: { first: 'A' } }, NAME],
    ['no name', 'an empty name', { client_id: undefined, name: '' }, NAME],
    ['no name', 'a name that every object has', {}, { nameClaim: 'toString' }],
    ['no name', 'a path that every object has', {}, { nameClaim: ['__proto__', 'constructor', 'name'] }],
    ['long name', 'a name of 257 characters', { client_id: 'n'.repeat(257) }],
    ['non-ASCII name', 'a name with a line break', { client_id: 'shop\n{}' }],
    ['non-ASCII name', 'a name with an umlaut', { client_id: 'Grünzeug' }],
    ['wrong client', 'another client', {}, { allowedClients: ['shop2', 'sho', 'Shop'] }],
  ])('%s: %s', async (fault, _what, claims, stage) => expectRefused(await sign(claims), fault, stage));

  const ONLY_ACCESS_TOKENS = { tokenType: 'at+jwt' };
  test.each<[fault: string, what: string, header: object, key?: JWK, stage?: object]>([
    ['wrong alg', 'HS256 with the public key as its secret', {}, secret],
    ['wrong signature', 'another key under a known id', {}, foreign],
    ['wrong signature', 'the key that the token itself has', { jwk: { kty, n: foreign.n, e } }, foreign],
    ['wrong signature', 'the address of a key', { jku: `${issuer}/jwks`, x5u: `${issuer}/x` }, foreign],
    ['unknown key', 'an unknown id', { kid: 'second' }],
    ['unknown key', 'a key of another kind under a known id', { kid: 'first' }, elliptic],
    ['unknown key', 'a key for encryption', {}, encryption],
    ['unusable key', 'an RSA key of 1,024 bits', { kid: 'weak' }],
    ['no kid', 'no id, and several keys', { kid: undefined }],
    ['same kid twice', 'two keys of its id', { kid: 'twice' }],
    ['wrong typ', 'a logout token', { typ: 'logout+jwt' }],
    ['wrong typ', 'any JWT, where only access tokens are', { typ: 'JWT' }, first, ONLY_ACCESS_TOKENS],
    ['wrong typ', 'no type, where only access tokens are', { typ: undefined }, first, ONLY_ACCESS_TOKENS],
  ])('%s: %s', async (fault, _what, header, key, stage) =>
    expectRefused(await sign({}, header, key), fault, stage),
  );

  test('a token with any digit mistyped, one more, an end that is cut, or any other signature', async () => {
    const find = start();
    const at = (index: number, text: string) => valid.slice(0, index) + text + valid.slice(index + 1);
    const altered = Array.from({ length: 40 }, () => {
      const index = 1 + Math.floor(Math.random() * (valid.length - 2));
      return [
        at(index, valid[index] === 'A' ? 'B' : 'A'),
        at(index, `${valid[index]}=`),
        valid.slice(0, index),
      ];
    });
    const signatures = [randomBytes(256).toString('base64url'), 'A'.repeat(342), 'AA'];
    for (const token of [...altered.flat(), ...signatures.map((text) => `${header}.${claims}.${text}`)])
      expect([token, await find(token)]).toEqual([token, [40102, expect.any(String)]]);
  });
});

/** What a header or a claim may be; none of it is right for any. */
const VALUES = [
  ...'null true 0 -1.5 "" "x" "__proto__" "toString" [] [null] [[["x"]]] {} ["x",{"x":["x"]}]'.split(' '),
  ...'{"toString":1,"valueOf":{}} {"__proto__":{"typ":"JWT"}} {"length":1,"0":"x"}'.split(' '),
  `${'['.repeat(900)}${']'.repeat(900)}`,
];
describe('a signed token gets 40102 whatever is the JSON value of', () => {
  const withValue = (object: object, name: string, value: string) =>
    JSON.stringify({ ...object, [name]: undefined }).replace(/\}$/, `,"${name}":${value}}`);

  test.each(['alg', 'kid', 'typ', 'crit'])('its header %s', async (name) => {
    const find = start();
    for (const value of VALUES) {
      const token = signedText(first, withValue(HEADER, name, value), JSON.stringify(CLAIMS));
      expect([value, await find(token)]).toEqual([value, [40102, expect.any(String)]]);
    }
  });

  const NAMED = { allowedClients: ['shop'] };
  test.each<[claim: string, stage?: Partial<IdentityProvider>, numbers?: 'valid']>([
    ...['iss', 'aud', 'exp', 'typ', 'cnf', 'nonce', 'token_use'].map((claim): [string] => [claim]),
    ['nbf', {}, 'valid'],
    ['iat', {}, 'valid'],
    ...['scope', 'scp', 'roles'].map((claim): [string, object] => [claim, { scope: 'create' }]),
    ...['sub', '__proto__', 'toString'].map((nameClaim): [string, object] => [
      nameClaim,
      { nameClaim, ...NAMED },
    ]),
    ['groups', { nameClaim: ['groups', '__proto__', 'toString'] }],
  ])('its claim %s', async (claim, stage, numbers) => {
    const find = start(stage);
    for (const value of VALUES) {
      const claims = withValue({ ...CLAIMS, scope: undefined }, claim, value);
      const isValid = numbers && /^[\d.-]+$/.test(value);
      const expected = isValid ? 'shop' : [40102, expect.any(String)];
      expect([value, await find(signedAs(HEADER, claims))]).toEqual([value, expected]);
    }
  });
});

/** Moves the clock past the time limit of a request to the provider. */
const pastLimit = () => void vi.advanceTimersByTimeAsync(900);
const [FIVE_MINUTES, HOUR] = [300_000, 3_600_000];
const { d: _, ...publicKey } = first;

describe('the key set', () => {
  /** Waits in real time, which the clock does not show, until the provider was asked so often. */
  const asked = async (times: number) => {
    while (requests.length < times) await pause(5);
    expect(requests).toHaveLength(times);
  };

  test('is loaded once for many requests at once, and again after five minutes', async () => {
    const find = start();
    const token = await sign();
    requests.length = 0;
    const found = await Promise.all(Array.from({ length: 20 }, () => find(token)));
    expect(new Set(found)).toEqual(new Set(['shop']));
    wait(FIVE_MINUTES - 1);
    expect(await find(token)).toBe('shop');
    expect(requests).toEqual(['/.well-known/openid-configuration', '/jwks']);
    wait(1);
    expect(await Promise.all([find(token), find(token)])).toEqual(['shop', 'shop']);
    await asked(4);
  });

  test('is not waited for after five minutes, and no longer has a key that was taken back, whatever tokens come', async () => {
    const [find, old] = [start(), await sign()];
    expect(await find(old)).toBe('shop');
    const second = await makeKey('second');
    use(second);
    requests.length = 0;
    wait(FIVE_MINUTES);
    expect(await find(old)).toBe('shop');
    while ((await find(old)) === 'shop') await pause(5);
    expect(await find(old)).toEqual([40102, 'unknown key']);
    expect(requests).toHaveLength(2);
    expect(await find(await sign({}, {}, second))).toBe('shop');
  });

  // How the runbook proves that a leaked key does not count any more: the token that it saved may have expired meanwhile.
  test('decides before the time: an expired token of a key that was taken back is refused for its key', async () => {
    const [find, old] = [start(), await sign({ exp: NOW + 60 })];
    expect(await find(old)).toBe('shop');
    wait(HOUR);
    expect(await find(old)).toEqual([40102, 'expired token']);
    use(await makeKey('second'));
    wait(HOUR);
    expect(await find(old)).toEqual([40102, 'unknown key']);
  });

  test('is used for an hour if the provider is down, and asked for at most each half a minute', async () => {
    const [find, second] = [start(), await makeKey('second')];
    const old = await sign();
    expect(await find(old)).toBe('shop');
    provider.play((_, response) => response.writeHead(503).end());
    requests.length = 0;
    wait(HOUR - 30_001);
    for (const [ms, times] of [
      [0, 1],
      [29_999, 1],
      [1, 2],
    ] as const) {
      wait(ms);
      expect(await find(old)).toBe('shop');
      await asked(times);
    }
    wait(1);
    expect(await find(old)).toEqual([50301, 'no key set: status 503']);
    use(second);
    wait(2_000);
    expect(await find(old)).toEqual([40102, 'unknown key']);
  });

  test('becomes too old by the time of the process, too, because the clock may be set back', async () => {
    const [find, old] = [start(), await sign()];
    expect(await find(old)).toBe('shop');
    provider.play((_, response) => response.writeHead(503).end());
    const uptime = process.uptime();
    vi.spyOn(process, 'uptime').mockReturnValue(uptime + 3_600);
    expect(await find(old)).toEqual([50301, 'no key set: status 503']);
  });

  test.each([
    ['an unknown key', 'second', 'unknown key'],
    ['a wrong signature, because a key may be replaced under its id', 'first', 'wrong signature'],
  ])('is loaded again for %s, at most once in half a minute', async (_, kid, fault) => {
    const [find, replaced] = [start(), await makeKey(kid)];
    const [old, rotated] = [await sign(), await sign({}, {}, replaced)];
    expect(await find(old)).toBe('shop');
    use(replaced);
    requests.length = 0;
    wait(29_999);
    expect([await find(rotated), requests]).toEqual([[40102, fault], []]);
    wait(1);
    expect(await find(rotated)).toBe('shop');
    for (let count = 0; count < 10; count += 1) expect(await find(old)).toEqual([40102, fault]);
    expect(requests).toHaveLength(2);
  });

  test('is loaded again for a signature that is too short for its key: a smaller key may have its id', async () => {
    const [find, larger] = [start(), await makeKey('first', 'RS256', 3_072)];
    use(larger);
    expect(await find(await sign({}, {}, larger))).toBe('shop');
    use(first);
    expect(await find(await sign())).toEqual([40102, 'cut token']);
    wait(30_000);
    expect(await find(await sign())).toBe('shop');
  });

  test('is loaded again after the clock was set back', async () => {
    const find = start();
    const token = await sign();
    await find(token);
    requests.length = 0;
    wait(-1);
    expect([await find(token), requests.length]).toEqual(['shop', 2]);
  });

  test('of AD FS names another issuer for access tokens, and only its tokens are accepted', async () => {
    const access_token_issuer = 'http://login.example/services/trust';
    playKeys({ keys: [publicKey] }, { access_token_issuer });
    const find = start();
    expect(await find(await sign({ iss: access_token_issuer }))).toBe('shop');
    expect(await find(await sign())).toEqual([40102, 'wrong iss']);
  });

  test('may have what is no key beside good ones, which is ignored', async () => {
    playKeys({ keys: [null, 'first', 1, [], {}, { kid: 'first' }, { kty: null, kid: [] }, publicKey] });
    expect(await start()(await sign())).toBe('shop');
  });

  test('stays in use while the provider is down; only an unknown key then gets 50301, until it is back', async () => {
    const [find, known, unknown] = [start(), await sign(), await sign({}, { kid: 'second' })];
    expect(await find(known)).toBe('shop');
    wait(30_000);
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
    ['no keys', 'that is no list', {}, { keys: { first } }],
    ['no jwks_uri', 'without an address', { jwks_uri: undefined }],
    ['no jwks_uri', 'whose address is no text', { jwks_uri: [jwks_uri] }],
    ['not https', 'whose address is none', { jwks_uri: 'jwks' }],
    ['status 302', 'that is elsewhere', {}, { keys: [first] }, 302],
    ['not https', 'without TLS', { jwks_uri: jwks_uri.replace('https', 'http') }],
    ['other issuer', 'of another issuer', { issuer: `${issuer}/` }],
  ])('lets nobody in: %s, %s', async (fault, _, metadata, keys = {}, status = 200) => {
    playKeys(keys, metadata, status);
    expect(await start()(await sign())).toEqual([50301, `no key set: ${fault}`]);
  });

  const switchProtocols: RequestListener = (_, response) => {
    response.writeHead(101, { connection: 'Upgrade', upgrade: 'x' }).flushHeaders();
    response.on('close', pastLimit);
  };
  const closeInBody: RequestListener = (_, response) =>
    void sendPart(response, '{').then(() => response.destroy());
  test.each<[fault: string, what: string, listener: RequestListener]>([
    ['timeout', 'hangs', pastLimit],
    ['timeout', 'hangs in the body', (_, response) => sendPart(response, '{').then(pastLimit)],
    // After it, Node has no more events of the request.
    ['timeout', 'switches protocols', switchProtocols],
    ['ECONNRESET', 'closes the connection', (_, response) => response.destroy()],
    ['ECONNRESET', 'closes it in the body', closeInBody],
  ])('lets nobody in: %s, of a provider that %s', async (fault, _, listener) => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    provider.play(listener);
    expect(await start()(await sign())).toEqual([50301, `no key set: ${fault}`]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is not waited for after the deadline of the request', async () => {
    provider.play(() => undefined);
    const context = { getRemainingTimeInMillis: () => 1_600 };
    expect(await start()(await sign(), context)).toEqual([50301, 'no key set: deadline']);
  });

  test('is loaded without TLS from this machine only', async () => {
    const local = await startIdentityProvider(true);
    expect(await start({ issuer: local.issuer })(await local.grant())).toBe('shop');
    local.close();
    const find = start({ issuer: 'http://a.example' });
    expect(await find(await sign())).toEqual([50301, 'no key set: not https']);
  });
});
