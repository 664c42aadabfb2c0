import { describe, expect, test } from 'vitest';
import { Failure } from '../../../lambda/errors.ts';
import { bearerToken, bodyText, requireOperation } from '../../../lambda/request/proxy-event.ts';

// The groups "methods and paths", "access tokens", "media types", "content codings", "sizes" and "UTF-8" of
// contract/cases.yaml test requests over HTTP; these tests use events that no case can cause.

/** Of another issuer: this step knows no format. */
const TOKEN = 'eyJhbGciOiJub25lIn0.e30.-_~+/==';

/** The error number with which a step refuses, or 200. */
function errorOf(step: () => unknown): number {
  try {
    step();
    return 200;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.published.error;
  }
}

describe('only the requests of an operation are let through', () => {
  const route = { httpMethod: 'POST', resource: '/plants', path: '/plants' };

  test.each([
    ['no route, as in a test event', { ...route, resource: undefined }, 200],
    ['a base path', { ...route, path: '/v1/plants' }, 200],
    ['a method in lower case', { ...route, httpMethod: 'post' }, 40401],
    ['another route', { ...route, resource: '/{proxy+}' }, 40401],
    ['two slashes after a base path', { ...route, path: '/v1//plants' }, 40401],
    ['no path', { ...route, path: undefined }, 40401],
    ['a list as the path', { ...route, path: ['/plants'] }, 40401],
  ])('%s: %i', (_, event, error) => {
    expect(errorOf(() => requireOperation(event))).toBe(error);
  });
});

describe('the access token', () => {
  test.each([
    [` Bearer ${TOKEN}`, 40101],
    [`Bearer ${TOKEN} `, 40102],
    [`Bearer ${TOKEN}\n`, 40102],
    [`Bearer \n${TOKEN}`, 40102],
    [`Bearer \u2028`, 40102],
    [`Bearer =${TOKEN}`, 40102],
    [`Bearer ${TOKEN}x`, 40102],
  ])('%j: %i', (authorization, error) => {
    expect(errorOf(() => bearerToken({ headers: { AUTHORIZATION: authorization } }))).toBe(error);
  });

  test('is taken from multiValueHeaders if it is there; values that are not strings are ignored', () => {
    const authorization = [7, null, `Bearer ${TOKEN}`];
    expect(bearerToken({ multiValueHeaders: { authorization }, headers: { authorization: 'x' } })).toBe(
      TOKEN,
    );
    for (const headers of ['authorization', null, undefined, { authorization: [] }])
      expect(errorOf(() => bearerToken({ headers, multiValueHeaders: headers }))).toBe(40101);
  });

  test('given twice is refused, even if both values are empty', () => {
    expect(errorOf(() => bearerToken({ multiValueHeaders: { authorization: ['', ''] } }))).toBe(40102);
  });
});

describe('a header value or path of one megabyte takes linear time', () => {
  const million = 1_000_000;
  const values = [
    `Bearer${' '.repeat(million)}\n`,
    `Bearer ${'plants_'.repeat(million / 7)}`,
    `Bearer ${'a'.repeat(million)}\n`,
    `application/${'a+'.repeat(million / 2)}`,
    `application/${'a'.repeat(million)}`,
    `application/${'+'.repeat(million)}json`,
    `application/json${' '.repeat(million)}x`,
    `application/json${'\t '.repeat(million / 2)}`,
    `${' '.repeat(million)}identity x`,
    `/${'/'.repeat(million)}plants`,
    '/plants'.repeat(million / 7),
  ];

  test.each(values.map((value) => [value.slice(0, 24), value]))('%j…', (_, value) => {
    const start = process.cpuUsage();
    errorOf(() => bearerToken({ headers: { authorization: value } }));
    errorOf(() => bodyText({ headers: { 'content-type': value }, body: '' }));
    errorOf(() => bodyText({ headers: { 'content-encoding': value }, body: '' }));
    errorOf(() => requireOperation({ httpMethod: 'POST', resource: '/plants', path: value }));
    const { user, system } = process.cpuUsage(start);
    // Microseconds. Each value takes milliseconds; a pattern with backtracking would take minutes.
    expect(user + system).toBeLessThan(2_000_000);
  });
});

describe('the body', () => {
  test.each([
    [{ 'Content-Type': ' APPLICATION/JSON ; charset=utf-8' }, 200],
    [{ 'content-type': 'application/+json' }, 41501],
    [{ 'content-type': 'x-application/json' }, 41501],
    [{ 'content-encoding': ' Identity ' }, 200],
    [{ 'content-encoding': '' }, 41501],
  ])('with %j: %i', (headers, error) => {
    expect(errorOf(() => bodyText({ headers, body: '{}' }))).toBe(error);
  });

  test('is text or base64, as the event says', () => {
    expect(bodyText({ body: 'é' })).toBe('é');
    expect(bodyText({ body: 'e30=', isBase64Encoded: true })).toBe('{}');
    expect(bodyText({ body: 'e30=', isBase64Encoded: 'true' })).toBe('e30=');
    for (const body of [undefined, null, 7, {}]) expect(bodyText({ body })).toBe('');
  });

  test('as text, may have at most 1 MiB', () => {
    expect(bodyText({ body: 'é'.repeat(524_288) })).toHaveLength(524_288);
    expect(errorOf(() => bodyText({ body: `${'é'.repeat(524_288)}x` }))).toBe(41301);
  });

  const LATIN_1 = Buffer.from('{"id":1,"name":"Fougère","tag":"été"}', 'latin1');
  test.each<[string, Uint8Array, number]>([
    ['Latin-1', LATIN_1, 21],
    ['UTF-8, then Latin-1', Buffer.concat([Buffer.from('["é🌿",'), LATIN_1]), 31],
    ['a byte that no character has', Uint8Array.of(255), 1],
    ['a character that is cut off', Buffer.from('"é').subarray(0, 2), 2],
    ['a surrogate', Uint8Array.of(0x22, 0xed, 0xa0, 0x80), 2],
    ['a cut off replacement character', Uint8Array.of(0x22, 0xef, 0xbf, 0x22), 2],
    ['replacement characters before it', Buffer.concat([Buffer.from('"\ufffd\ufffdx\ufffd'), LATIN_1]), 32],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 1],
    ['a million bytes before it', Buffer.concat([Buffer.alloc(999_999, '\ufffd'), LATIN_1]), 1_000_020],
  ])('must be UTF-8, and the message says where it is not: %s', (_, bytes, position) => {
    const message = `The body is not UTF-8: byte ${position}, counted from 1, is wrong; encode the whole body as UTF-8, not as Latin-1 or Windows-1252.`;
    const failure = { message, published: expect.objectContaining({ error: 40001 }) };
    const body = Buffer.from(bytes).toString('base64');
    expect(() => bodyText({ body, isBase64Encoded: true })).toThrow(expect.objectContaining(failure));
    expect(message.length).toBeLessThan(200);
  });

  test('must be well-formed as text', () => {
    expect(errorOf(() => bodyText({ body: '\ud800' }))).toBe(40001);
  });
});
