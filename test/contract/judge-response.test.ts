import { expect, test } from 'vitest';
import { bodyOf, OTHER, WHOLE } from '../../contract/examples.ts';
import { compileSchemas, judgeResponse } from '../../contract/judge-response.ts';
import { OPENAPI } from '../../contract/openapi.ts';
import type { HttpResponse } from '../../contract/send-http.ts';

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'request-1',
};
const response = (status: number, body: string, headers: HttpResponse['headers'] = {}): HttpResponse => ({
  status,
  headers: { ...HEADERS, ...headers },
  body,
});
const error = (number: number, headers?: HttpResponse['headers'], message = 'No.') =>
  response(400, JSON.stringify({ error: number, message }), headers);
const plant = (body: string, headers?: HttpResponse['headers']) => response(200, body, headers);

const FERN = JSON.stringify(WHOLE);
const BEARER = { 'www-authenticate': 'Bearer realm="plant-store"' };

// The cases of the contract show what the judge accepts.
test.each<[how: string, response: HttpResponse, complaint: RegExp]>([
  ['status 201', response(201, error(40002).body), /^status 201/],
  ['no content type', plant(FERN, { 'content-type': undefined }), /^content-type/],
  ['a response that may be cached', plant(FERN, { 'cache-control': 'max-age=60' }), /^cache-control/],
  ['no nosniff', plant(FERN, { 'x-content-type-options': undefined }), /^no nosniff/],
  [
    'no request id',
    plant(FERN, { 'x-request-id': undefined }),
    /AWS: no x-request-id \(docs\/company\.md#[a-z-]+\)\.$/,
  ],
  ['a cookie', plant(FERN, { 'set-cookie': 'a=b' }), /^set-cookie/],
  ['a body that is not JSON', plant('name=Fern'), /^body/],
  ['a plant with its id', plant(bodyOf(1)), /^body/],
  ['an error number beyond int32', error(2_147_483_648), /^body/],
  ['a message of 200 characters', error(40002, {}, `${'x'.repeat(199)}.`), /^message/],
  ['a message without a full stop', error(40002, {}, 'No'), /^message/],
  ['no Retry-After', error(42901), /^retry-after/],
  ['Retry-After where a retry cannot help', error(40901, { 'retry-after': '1' }), /^retry-after/],
  ['no challenge', error(40102), /^challenge/],
  ['a challenge with another error', error(40901, BEARER), /^challenge/],
])('the judge reports %s', (_, wrong, complaint) => {
  const { status, body } = wrong;
  const expected = status === 200 ? { text: FERN } : { error: JSON.parse(body).error };
  expect(judgeResponse(wrong, { status, ...expected } as never)[0]?.sentence).toMatch(complaint);
});

const FERN_EXPECTED = { status: 200, text: FERN } as const;
test.each<[string, HttpResponse, Parameters<typeof judgeResponse>[1], complaint: string]>([
  ['another plant', plant(JSON.stringify({ ...WHOLE, ...OTHER })), FERN_EXPECTED, `not 200 ${FERN}`],
  ['another body than a text', plant(FERN), { status: 200, text: '{"plants":[]}' }, 'not 200 {"plants":[]}'],
  ['an error in place of a plant', error(40901), FERN_EXPECTED, `not 200 ${FERN}`],
  ['a plant in place of an error', plant(FERN), { status: 400, error: 40901 }, 'not 400 with error 40901'],
  [
    'a message about another property',
    error(40002, {}, 'idle must be.'),
    { status: 400, error: 40002, names: 'id' },
    'does not name id',
  ],
])('the judge reports %s, although the response alone is valid', (_, valid, expected, complaint) => {
  expect(judgeResponse(valid, expected)).toEqual([
    { sentence: expect.stringContaining(complaint), requestId: 'request-1' },
  ]);
});

test('a response may have an int64', () => {
  const { schemas } = OPENAPI.components;
  const { result } = compileSchemas({
    ...OPENAPI,
    components: { schemas: { ...schemas, Plant: schemas.NewPlant } },
  });
  expect(result(JSON.parse(bodyOf(7, WHOLE)))).toBe(true);
});

test('an amount is judged by its decimal places, not by its double', () => {
  const { schemas } = OPENAPI.components;
  const Plant = { type: 'object', properties: { p: { type: 'number', multipleOf: 0.000001 } } };
  const { result } = compileSchemas({ ...OPENAPI, components: { schemas: { ...schemas, Plant } } } as never);
  expect([13.4, 13.4000001].map((p) => result({ p }))).toEqual([true, false]);
});
