import { describe, expect, test } from 'vitest';
import { contractViolations, type HttpResponse, judgeResponse } from '../../contract/judge-response.ts';

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'request-1',
};

const plant = (body: string, headers: HttpResponse['headers'] = {}): HttpResponse => ({
  status: 200,
  headers: { ...HEADERS, ...headers },
  body,
});
const error = (body: string, headers: HttpResponse['headers'] = {}): HttpResponse => ({
  ...plant(body, headers),
  status: 400,
});

const FERN = plant('{"name":"Fern","tag":"shade"}');
const FERN_EXPECTED = { status: 200, plant: { name: 'Fern', tag: 'shade' } } as const;
const TAKEN = error('{"error":40901,"message":"The id belongs to a different plant."}');
const CHALLENGE = { 'www-authenticate': 'Bearer realm="plant-store"' };
const NO_TOKEN = error('{"error":40101,"message":"Send an access token."}', CHALLENGE);
const RENAMED = error('{"error":40102,"message":"No."}', { 'x-amzn-remapped-www-authenticate': 'Bearer x' });
const LONG = error(`{"error":40002,"message":"${'x'.repeat(198)}."}`);
const LATER = error('{"error":50301,"message":"No."}', { 'retry-after': '2' });
const SLOW = error('{"error":42901,"message":"Slow down."}', { 'retry-after': '1' });

describe('the judge accepts', () => {
  test.each<[string, HttpResponse, Parameters<typeof judgeResponse>[1]]>([
    ['a plant', FERN, FERN_EXPECTED],
    ['a plant without a tag', plant('{"name":""}'), { status: 200, plant: { name: '' } }],
    ['an error', TAKEN, { status: 400, error: 40901, message: 'different plant' }],
    ['a challenge', NO_TOKEN, { status: 400, error: 40101 }],
    ['a challenge that the gateway renamed', RENAMED, { status: 400, error: 40102 }],
    ['an error with Retry-After', SLOW, { status: 400, error: 42901 }],
    ['50301', LATER, { status: 400, error: 50301 }],
    ['the largest int32', error('{"error":2147483647,"message":"x."}'), { status: 400, error: 2147483647 }],
    ['a message of 199 characters', LONG, { status: 400, error: 40002 }],
  ])('%s', (_, response, expected) => {
    expect(judgeResponse(response, expected)).toEqual([]);
  });
});

/** Each response has exactly one fault. */
const WRONG: readonly [how: string, response: HttpResponse, complaint: string][] = [
  ['status 201', { ...TAKEN, status: 201 }, 'status 201'],
  ['status 500', { ...TAKEN, status: 500 }, 'status 500'],
  ['no content type', plant(FERN.body, { 'content-type': undefined }), 'content-type undefined'],
  [
    'a content type with a charset',
    plant(FERN.body, { 'content-type': 'application/json; charset=utf-8' }),
    'content-type',
  ],
  ['a response that may be cached', plant(FERN.body, { 'cache-control': 'max-age=60' }), 'cache-control'],
  ['no nosniff', plant(FERN.body, { 'x-content-type-options': undefined }), 'no nosniff'],
  ['no request id', plant(FERN.body, { 'x-request-id': undefined }), 'no x-request-id'],
  ['no body', plant(''), 'body'],
  ['a body that is not JSON', plant('name=Fern'), 'body name=Fern'],
  ['a plant with its id', plant('{"id":1,"name":"Fern"}'), 'body {"id":1'],
  ['a name that is null', plant('{"name":null}'), 'body'],
  ['a tag that is a number', plant('{"name":"Fern","tag":1}'), 'body'],
  ['an error in place of a plant', plant(TAKEN.body), 'body'],
  ['a plant in place of an error', error(FERN.body), 'body'],
  ['an error number with a fraction', error('{"error":40901.5,"message":"No."}'), 'body'],
  ['an error number beyond int32', error('{"error":2147483648,"message":"No."}'), 'body'],
  ['an error number below int32', error('{"error":-2147483649,"message":"No."}'), 'body'],
  ['160 characters that are not JSON', plant('x'.repeat(160)), `body ${'x'.repeat(160)}: `],
  ['161 characters', plant('x'.repeat(161)), `body ${'x'.repeat(160)}… (161 characters): `],
  ['an error with another property', error('{"error":40901,"message":"No.","id":1}'), 'body'],
  ['a message that is too long', error(`{"error":40901,"message":"${'x'.repeat(199)}."}`), 'message: x'],
  ['a message without a full stop', error('{"error":40901,"message":"No"}'), 'message: No'],
  ['no Retry-After', error(SLOW.body), 'retry-after undefined'],
  ['a wrong Retry-After', error(SLOW.body, { 'retry-after': '2' }), 'retry-after 2'],
  [
    'Retry-After for an error that a retry cannot fix',
    error(TAKEN.body, { 'retry-after': '1' }),
    'retry-after 1',
  ],
  ['no challenge', error(NO_TOKEN.body), 'challenge undefined'],
  ['no challenge for 40102', error('{"error":40102,"message":"No."}'), 'challenge undefined'],
  ['a challenge of another scheme', error(NO_TOKEN.body, { 'www-authenticate': 'Basic' }), 'challenge Basic'],
  ['a challenge with another error', error(TAKEN.body, CHALLENGE), 'challenge Bearer'],
];

describe('the judge reports a fault', () => {
  test.each(WRONG)('%s', (_, response, complaint) => {
    const found = contractViolations(response);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(complaint);
  });
});

describe('the judge reports a response that differs from the expected one', () => {
  const refused = { status: 400, error: 40901, message: 'different plant' } as const;
  const shade = '{"name":"Fern","tag":"shade"}';
  test.each<[string, HttpResponse, Parameters<typeof judgeResponse>[1], string]>([
    [
      'another tag',
      plant('{"name":"Fern","tag":"sun"}'),
      FERN_EXPECTED,
      `returned 200 {"name":"Fern","tag":"sun"}, not 200 ${shade}`,
    ],
    [
      'an unexpected tag',
      FERN,
      { status: 200, plant: { name: 'Fern' } },
      `returned 200 ${shade}, not 200 {"name":"Fern"}`,
    ],
    ['an error in place of a plant', TAKEN, FERN_EXPECTED, `returned 400 ${TAKEN.body}, not 200 ${shade}`],
    ['a plant in place of an error', FERN, refused, `returned 200 ${shade}, not 400 with error 40901`],
    [
      'another error',
      error('{"error":40002,"message":"It is a different plant."}'),
      refused,
      'returned 400 {"error":40002,"message":"It is a different plant."}, not 400 with error 40901',
    ],
    [
      'another message',
      error('{"error":40901,"message":"No."}'),
      refused,
      'the message "No." does not say "different plant"',
    ],
  ])('%s', (_, response, expected, complaint) => {
    expect(contractViolations(response)).toEqual([]);
    expect(judgeResponse(response, expected)).toEqual([complaint]);
  });

  test('a status that contradicts the body', () => {
    const wrong = (response: HttpResponse, expected: Parameters<typeof judgeResponse>[1]) =>
      judgeResponse(response, expected).at(-1);
    expect(wrong({ ...FERN, status: 400 }, FERN_EXPECTED)).toMatch(/^returned 400 /);
    expect(wrong({ ...TAKEN, status: 200 }, refused)).toMatch(/^returned 200 /);
  });
});
