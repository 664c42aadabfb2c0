import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import { bodyOf } from '../../contract/examples.ts';
import { createPlant } from '../../lambda/create-plant.ts';
import { makeHandler } from '../../lambda/middleware.ts';
import { JsonWebTokens } from '../../lambda/store/json-web-tokens.ts';
import { asLogged } from '../support/function-under-test.ts';
import {
  AUDIENCE,
  makeKey,
  signed,
  signedText,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { errorOf, plantEvent } from '../support/test-service.ts';

/** How many tokens are made of each kind: a few; `FORGED=25` makes over 500. */
const EACH = Number(process.env.FORGED ?? 3);

const provider = await startIdentityProvider();
afterAll(() => provider.close());
const { issuer, first } = provider;
const strangers = await makeKey('first');
const accessTokens = new JsonWebTokens(
  { issuer, audience: AUDIENCE, scope: 'create', allowedClients: ['shop'] },
  { find: async () => Promise.reject(new Error('The table was asked.')) },
);

const now = Math.floor(Date.now() / 1000);
const CLAIMS = { iss: issuer, aud: AUDIENCE, client_id: 'shop', scope: 'create', exp: now + 600 };
const any = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T;
const anyText = (bytes = 9) => randomBytes(bytes).toString('base64url');
const base64 = (text: string) => Buffer.from(text).toString('base64url');
const grant = (claims: object = {}, header: object = {}, key = first) =>
  signed(key, { ...CLAIMS, jti: anyText(), ...claims }, header);
const altered = (token: string, part: number, change: (part: string) => string) =>
  token
    .split('.')
    .with(part, change(String(token.split('.')[part])))
    .join('.');
const json = (change: object) => (part: string) =>
  base64(JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...change }));

/** A digit that is another one. */
const mistyped = (part: string) => {
  const at = Math.floor(Math.random() * (part.length - 1));
  return part.slice(0, at) + (part[at] === 'A' ? 'B' : 'A') + part.slice(at + 1);
};
const WRONG: readonly object[] = [
  { iss: `${issuer}/.` },
  { iss: [issuer] },
  { aud: AUDIENCE.toUpperCase() },
  { aud: { [AUDIENCE]: true } },
  { aud: `${AUDIENCE} ` },
  { exp: now - 3_600 },
  { exp: String(now + 600) },
  { nbf: now + 3_600 },
  { scope: 'create:all' },
  { scope: ['read create'] },
  { scope: { create: true } },
  { client_id: 'Shop' },
  { client_id: 'shop\0' },
  { client_id: ['shop'] },
  { cnf: null },
  { nonce: 1 },
  { typ: 'Refresh' },
  { token_use: 'refresh' },
];
const ed25519 = generateKeyPairSync('ed25519').privateKey;

const KINDS: Readonly<Record<string, () => string | Promise<string>>> = {
  'a wrong claim': () => grant(any(WRONG)),
  'a wrong type': () => grant({}, { typ: any(['dpop+jwt', 'JOSE', 'id_token', 'secevent+jwt', '']) }),
  'the key of a stranger': () => grant({}, {}, strangers),
  'the key of a stranger, which it has itself': () =>
    grant({}, { jwk: { kty: 'RSA', n: strangers.n, e: 'AQAB' } }, strangers),
  'the address of a stranger': () =>
    grant({}, { jku: 'http://127.0.0.1:9/', x5u: 'http://127.0.0.1:9/' }, strangers),
  'an id that nobody has': () =>
    grant({}, { kid: any(['../first', "first' or '1", '__proto__', anyText()]) }, strangers),
  'no signature': async () => altered(await grant(), 2, () => ''),
  'a random signature': async () => altered(await grant(), 2, () => anyText(256)),
  'another signature': async () => altered(await grant(), 2, () => 'A'.repeat(342)),
  'the signature of another token': async () => {
    const [, , signature = ''] = (await grant()).split('.');
    return altered(await grant(), 2, () => signature);
  },
  'a mistyped signature': async () => altered(await grant(), 2, mistyped),
  'mistyped claims': async () => altered(await grant(), 1, mistyped),
  'a mistyped header': async () => altered(await grant(), 0, mistyped),
  'changed claims': async () => altered(await grant(), 1, json({ exp: now + 6_000 + any([1, 2, 3]) })),
  'another algorithm': async () =>
    altered(
      await grant(),
      0,
      json({ alg: any(['none', 'None', 'HS256', 'RS512', 'PS256', 'ES256', 'EdDSA', 'ML-DSA-44', '']) }),
    ),
  'no algorithm': async () =>
    altered(altered(await grant(), 0, json({ alg: 'none' })), 2, () => any(['', 'AA'])),
  'a key of another kind': () =>
    signed({ ...ed25519.export({ format: 'jwk' }), kid: 'first', alg: 'EdDSA' } as never, CLAIMS),
  'a critical extension': () =>
    signedText(
      first,
      `{"alg":"RS256","kid":"first","crit":["${any(['exp', 'b64', 'x'])}"],"exp":1,"x":1}`,
      JSON.stringify(CLAIMS),
    ),
  'no JSON': () =>
    signedText(
      first,
      '{"alg":"RS256","kid":"first"}',
      any(['', '{', 'shop', '[]', 'null', '"shop"', '{"iss":}']),
    ),
  'a cut end': async () => {
    const token = await grant();
    return token.slice(0, Math.floor(Math.random() * (token.length - 2)) + 2);
  },
  'spaces inside': async () =>
    altered(await grant(), any([0, 1, 2]), (part) => `${part.slice(0, 9)}=${part.slice(9)}`),
  'more parts': async () => `${await grant()}.${any(['', anyText(), `${anyText()}.${anyText()}`])}`,
};

test('no forged or altered token gets in; each gets 40102, and none is in the log', async () => {
  const printed: string[] = [];
  for (const method of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...values) => void printed.push(JSON.stringify(values)));
  const lines: string[] = [];
  const create = vi.fn();
  const operation = createPlant({ accessTokens, plants: { create } });
  const handler = makeHandler(operation, {
    writeLog: (line) => lines.push(JSON.stringify(asLogged(line))),
    version: '7',
  });
  const tokens: string[] = [];
  for (let count = 0; count < EACH; count += 1)
    for (const [kind, make] of Object.entries(KINDS)) {
      const token = await make();
      tokens.push(token);
      const response = await handler(plantEvent(token, bodyOf(1)), {} as never);
      expect([kind, token, errorOf(response)]).toEqual([kind, token, 40102]);
    }
  vi.restoreAllMocks();
  const log = [...lines, ...printed].join('\n');
  const parts = tokens.flatMap((token) => token.split('.')).filter((part) => part.length > 12);
  expect(parts.filter((part) => log.includes(part))).toEqual([]);
  expect([lines.length, printed, create.mock.calls]).toEqual([tokens.length, [], []]);
  // The same way in, by a token that is as it must be.
  create.mockResolvedValue('created');
  expect(await handler(plantEvent(await grant(), bodyOf(1)), {} as never)).toMatchObject({ statusCode: 200 });
});
