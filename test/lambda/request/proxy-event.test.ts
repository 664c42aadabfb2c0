import { describe, expect, test } from 'vitest';
import { Failure } from '../../../lambda/answer/errors.ts';
import { bearerToken, bodyText, requirePostPlants } from '../../../lambda/request/proxy-event.ts';
import { formatToken } from '../../../lambda/request/token-format.ts';

// Operations, tokens, media types, codings and UTF-8 are tested by the groups "methods and paths", "access tokens", "media
// types", "content codings" and "UTF-8" of contract/cases.yaml.

const TOKEN = formatToken(new Uint8Array(32).fill(1));

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

describe('the access token', () => {
  test.each([
    [`Bearer ${TOKEN}`, 200],
    [`bEARER    ${TOKEN}`, 200],
    ['', 40101],
    ['Bearer', 40101],
    ['Bearer ', 40101],
    ['Bearer     ', 40101],
    [`Basic ${TOKEN}`, 40101],
    [`Bearer${TOKEN}`, 40101],
    [`Bearer\t${TOKEN}`, 40101],
    [` Bearer ${TOKEN}`, 40101],
    [`Bearer ${TOKEN} `, 40102],
    [`Bearer ${TOKEN}\n`, 40102],
    [`Bearer \n${TOKEN}`, 40102],
    [`Bearer \u2028`, 40102],
    [`Bearer x`, 40102],
  ])('%j: %i', (authorization, error) => {
    expect(errorOf(() => bearerToken({ headers: { authorization } }))).toBe(error);
  });
});

describe('the time for a header value of one megabyte is linear', () => {
  const million = 1_000_000;
  const values = [
    `Bearer${' '.repeat(million)}\n`,
    `Bearer${' '.repeat(million)}\u2028x`,
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
    errorOf(() => requirePostPlants({ httpMethod: 'POST', resource: '/plants', path: value }));
    const { user, system } = process.cpuUsage(start);
    // Microseconds. Each takes milliseconds; a pattern with backtracking would take minutes.
    expect(user + system).toBeLessThan(2_000_000);
  });
});

const route = (changes: object) => ({ httpMethod: 'POST', resource: '/plants', path: '/plants', ...changes });

describe('the only operation is POST /plants', () => {
  test.each([
    ['the gateway’s route and path', route({})],
    ['no route, as in a test event', route({ resource: undefined })],
    ['a base path', route({ path: '/v1/plants' })],
  ])('%s', (_, event) => {
    expect(errorOf(() => requirePostPlants(event))).toBe(200);
  });

  test.each([
    ['another method', route({ httpMethod: 'GET' })],
    ['a method in lower case', route({ httpMethod: 'post' })],
    ['another route', route({ resource: '/{proxy+}' })],
    ['a trailing slash', route({ path: '/plants/' })],
    ['two slashes', route({ path: '//plants' })],
    ['two slashes after a base path', route({ path: '/v1//plants' })],
    ['a longer path', route({ path: '/plants/7' })],
    ['no leading slash', route({ path: 'plants', resource: undefined })],
    ['no path', route({ path: undefined })],
    ['a list as the path', route({ path: ['/plants'] })],
    ['nothing', {}],
  ])('not %s', (_, event) => {
    expect(errorOf(() => requirePostPlants(event))).toBe(40401);
  });
});

describe('the access token in the headers', () => {
  const authorization = (...values: string[]) => ({ multiValueHeaders: { Authorization: values } });

  test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER   ${TOKEN}`])('is taken from "%s"', (value) => {
    expect(bearerToken(authorization(value))).toBe(TOKEN);
    expect(bearerToken({ headers: { AUTHORIZATION: value } })).toBe(TOKEN);
  });

  test.each([
    [[]],
    [['']],
    [['Bearer']],
    [['Bearer ']],
    [[`Basic ${TOKEN}`]],
    [[TOKEN]],
    [[`xBearer ${TOKEN}`]],
  ])('is missing in %j: 40101', (values) => {
    expect(errorOf(() => bearerToken(authorization(...values)))).toBe(40101);
  });

  test.each([[[`Bearer ${TOKEN}x`]], [[`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]], [['', '']]])(
    'is not valid in %j: 40102',
    (values) => {
      expect(errorOf(() => bearerToken(authorization(...values)))).toBe(40102);
    },
  );

  test('multiValueHeaders takes precedence; values that are not strings are ignored', () => {
    const values = authorization(`Bearer ${TOKEN}`);
    expect(bearerToken({ ...values, headers: { authorization: 'Basic x' } })).toBe(TOKEN);
    expect(bearerToken({ multiValueHeaders: { authorization: [7, null, `Bearer ${TOKEN}`] } })).toBe(TOKEN);
    for (const headers of ['authorization', null, undefined])
      expect(errorOf(() => bearerToken({ headers, multiValueHeaders: headers }))).toBe(40101);
  });

  test('is the whole rest of the value, including line ends', () => {
    for (const rest of ['\n', '\nx', '\r\nX-Other: x'])
      expect(errorOf(() => bearerToken(authorization(`Bearer ${TOKEN}${rest}`)))).toBeOneOf([40101, 40102]);
  });
});

describe('the body', () => {
  const typed = (headers: object, body: unknown = '{}') => ({ headers, body });

  test.each([
    {},
    { 'content-type': 'application/json' },
    { 'Content-Type': ' APPLICATION/JSON ; charset=utf-8' },
    { 'content-type': 'application/vnd.api+json' },
    { 'content-encoding': ' Identity ' },
  ])('is read with %j', (headers) => {
    expect(bodyText(typed(headers))).toBe('{}');
  });

  test.each([
    { 'content-type': '' },
    { 'content-type': 'text/json' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/+json' },
    { 'content-type': 'x-application/json' },
    { 'content-encoding': 'gzip' },
    { 'content-encoding': '' },
  ])('is not JSON with %j: 41501', (headers) => {
    expect(errorOf(() => bodyText(typed(headers)))).toBe(41501);
  });

  test('must have a valid value in every repeated header', () => {
    const types = ['application/json', 'text/plain'];
    expect(errorOf(() => bodyText({ multiValueHeaders: { 'content-type': types }, body: '{}' }))).toBe(41501);
  });

  test('is text or base64, as the event says', () => {
    expect(bodyText({ body: 'é' })).toBe('é');
    expect(bodyText({ body: 'e30=', isBase64Encoded: true })).toBe('{}');
    expect(bodyText({ body: 'e30=', isBase64Encoded: 'true' })).toBe('e30=');
    expect(bodyText({ body: '77u/e30=', isBase64Encoded: true })).toBe('\ufeff{}');
    for (const body of [undefined, null, 7, {}]) expect(bodyText({ body })).toBe('');
  });

  test('may have at most 1 MiB', () => {
    expect(bodyText({ body: 'é'.repeat(524_288) })).toHaveLength(524_288);
    expect(errorOf(() => bodyText({ body: `${'é'.repeat(524_288)}x` }))).toBe(41301);
  });

  test('must be UTF-8', () => {
    expect(errorOf(() => bodyText({ body: '\ud800' }))).toBe(40001);
    expect(errorOf(() => bodyText({ body: '/w==', isBase64Encoded: true }))).toBe(40001);
    for (const event of [{ body: '\ud800' }, { body: '/w==', isBase64Encoded: true }])
      expect(() => bodyText(event)).toThrow(expect.objectContaining({ message: 'The body is not UTF-8.' }));
  });
});
