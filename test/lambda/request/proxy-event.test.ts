import { describe, expect, test } from 'vitest';
import { Failure } from '../../../lambda/errors.ts';
import { bearerToken, bodyText, requireOperation } from '../../../lambda/request/proxy-event.ts';

// The groups "methods and paths", "access tokens", "media types", "content codings", "sizes" and "UTF-8" of
// contract/cases/create-plant.yaml test requests over HTTP; these tests use events that no case can cause. test/security/linear-time.test.ts has
// values of a megabyte.

/** Of another form: this step knows no format. */
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

// routes.test.ts tests the paths.
test.each([
  ['no route, as in a test event', undefined, '/plants', 200],
  ['another route', '/{proxy+}', '/plants', 40401],
  ['a list as the path', '/plants', ['/plants'], 40401],
])('of a request with %s', (_, resource, path, error) => {
  expect(errorOf(() => requireOperation({ httpMethod: 'POST', resource, path }))).toBe(error);
});

test('the access token is taken from multiValueHeaders if it is there; values that are not strings are ignored', () => {
  const authorization = [7, null, `Bearer ${TOKEN}`];
  const event = { multiValueHeaders: { authorization }, headers: { authorization: 'x' } };
  expect(bearerToken(event)).toBe(TOKEN);
  for (const headers of ['authorization', null, undefined, { authorization: [] }])
    expect(errorOf(() => bearerToken({ headers, multiValueHeaders: headers }))).toBe(40101);
});

describe('the body', () => {
  test('is text or base64, as the event says', () => {
    expect(bodyText({ body: 'é' })).toBe('é');
    expect(bodyText({ body: 'e30=', isBase64Encoded: true })).toBe('{}');
    expect(bodyText({ body: 'e30=', isBase64Encoded: 'true' })).toBe('e30=');
    for (const body of [undefined, null, 7, {}]) expect(bodyText({ body })).toBe('');
  });

  const LATIN_1 = Buffer.from('{"id":1,"name":"Fougère","tag":"été"}', 'latin1');
  test.each<[string, Uint8Array, number]>([
    ['UTF-8, then Latin-1', Buffer.concat([Buffer.from('["é🌿",'), LATIN_1]), 31],
    ['a character that is cut off', Buffer.from('"é').subarray(0, 2), 2],
    ['a cut off replacement character', Uint8Array.of(0x22, 0xef, 0xbf, 0x22), 2],
    ['replacement characters before it', Buffer.concat([Buffer.from('"\ufffd\ufffdx\ufffd'), LATIN_1]), 32],
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
