import { describe, expect, test, vi } from 'vitest';
import { LEAST, OTHER, type Plant, WHOLE } from '../../contract/examples.ts';
import { OPTIONAL, withText } from '../../test/support/properties.ts';
import { createPlantStore, PlantStoreError } from '../src/index.ts';
import { plantOf } from './scripted-service.ts';

const FERN = JSON.stringify(LEAST);
/** A plant with a text that JSON may escape. */
const ACCENTED = withText('é\u2028🌿');

type Body = string | Uint8Array<ArrayBuffer> | null;

/** Creates a plant with one attempt. @param outcome a response, or what fetch throws @returns the plant, or the error */
function create(plant: Plant, outcome: unknown): Promise<unknown> {
  const fetch = async () => {
    if (outcome instanceof Response) return outcome;
    throw outcome;
  };
  return createPlantStore({ baseUrl: 'http://127.0.0.1', token: 't', maxAttempts: 1, fetch })
    .createPlant(plantOf(1, plant))
    .catch((error: unknown) => error);
}

/** A response, also with a status that only a browser gives. @param contentType none if empty */
function response(status: number, body: Body, contentType = 'application/json') {
  const headers = contentType === '' ? {} : { 'content-type': contentType };
  return Object.defineProperty(new Response(body, { headers }), 'status', { value: status });
}

/** The UTF-8 of a text in which each ? is one byte that UTF-8 does not have. */
const broken = (text: string) => Uint8Array.from(text, (c) => (c === '?' ? 0xff : c.charCodeAt(0)));

describe('a 200 is success if it has the plant that was sent', () => {
  test.each<[string, Plant, string, string?]>([
    ['what is required', LEAST, FERN],
    ['all properties', WHOLE, JSON.stringify(WHOLE)],
    ['escaped characters', ACCENTED, JSON.stringify(ACCENTED).replace('é', '\\u00e9')],
    ['further properties', LEAST, JSON.stringify({ id: 7, ...LEAST, quux: { leaf: 'green' } })],
    ['a content type with parameters', LEAST, FERN, 'Application/JSON ; charset=utf-8'],
  ])('%s', async (_, plant, body, contentType) => {
    expect(await create(plant, response(200, body, contentType))).toEqual(plant);
  });
});

const message = 'Taken.';

test.each([40000, 59999])("a 400 with an Error is the service's: %i is reported as it is", async (error) => {
  const outcome = await create(LEAST, response(400, JSON.stringify({ error, message })));
  expect(outcome).toBeInstanceOf(PlantStoreError);
  expect(outcome).toMatchObject({ error, message });
});

describe("any other response is not the service's", () => {
  /** A body that would be right if the status were 200 or 400. */
  const both = JSON.stringify({ ...LEAST, error: 40002, message });
  type Row = [what: string, status: number, error: number, body: Body, contentType?: string];
  test.each<Row>([
    ['another plant', 200, 50401, JSON.stringify(OTHER)],
    ...OPTIONAL.map((name): Row => {
      const body = JSON.stringify({ ...LEAST, [name]: WHOLE[name] });
      return [`${name}, which was not sent`, 200, 50401, body];
    }),
    ['null', 200, 50401, 'null'],
    ['the plant as another kind of JSON', 200, 50401, FERN, 'application/jsonp'],
    ['the plant without a content type', 200, 50401, broken(FERN), ''],
    ['a byte that is not UTF-8 elsewhere', 200, 50401, broken(JSON.stringify({ ...LEAST, quux: '?' }))],
    ['a byte order mark', 200, 50401, `\ufeff${FERN}`],
    ['nothing', 200, 50401, null],
    ['an error in a string', 400, 40000, '{"error":"40901","message":"Taken."}'],
    ['an error that is a status', 400, 40000, '{"error":409,"message":"Taken."}'],
    ['an error above the errors of servers', 400, 40000, '{"error":60000,"message":"Taken."}'],
    ['an error with a digit more', 400, 40000, '{"error":409010,"message":"Taken."}'],
    ['an error with a digit before', 400, 40000, '{"error":140901,"message":"Taken."}'],
    ['an error beyond 2^53', 400, 40000, '{"error":9007199254740993,"message":"Taken."}'],
    ['no message', 400, 40000, '{"error":40901}'],
    ['an Error as HTML', 400, 40000, '{"error":40901,"message":"Taken."}', 'text/html'],
    // Browsers hide the status of a redirect that was not followed.
    ['a redirect', 0, 40000, both],
    ['the last success', 299, 50401, both],
    ['the first redirect', 300, 40000, both],
    ['a request timeout', 408, 50401, both],
    ['too large', 413, 41301, both],
    ['too many requests', 429, 42901, both],
    ['the last fault of a client', 499, 40000, both],
    ['a fault of a server', 500, 50401, both],
  ])('%s, with status %i, is %i', async (_, status, error, body, contentType) => {
    const said = expect.stringContaining(status === 0 ? 'a redirect' : `status ${status}`);
    const retryAfter = { 50401: 2, 42901: 1 }[error];
    const expected = { error, message: said, requestId: undefined, retryAfter, mayBeStored: error === 50401 };
    expect(await create(LEAST, response(status, body, contentType))).toMatchObject(expected);
  });
});

test('a 400 with Retry-After whose body is lost may have been 50401', async () => {
  const lost = response(400, '<html>');
  lost.headers.set('retry-after', '3');
  expect(await create(LEAST, lost)).toMatchObject({ error: 50401, retryAfter: 3, mayBeStored: true });
});

describe('the time before a retry', () => {
  test.each<[number, string, number | undefined]>([
    [40901, '12', 12],
    [42901, '0', 0],
    [42901, 'Thu, 01 Jan 2026 00:00:04 GMT', 4],
    [42901, 'Thu, 01 Jan 2015 00:00:00 GMT', 0],
    [42901, 'soon', 1],
    [42999, '', 1],
    [50002, '', undefined],
  ])('%i with Retry-After "%s"', async (error, value, retryAfter) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') });
    const refused = response(400, JSON.stringify({ error, message }));
    refused.headers.set('retry-after', value);
    expect(await create(LEAST, refused)).toMatchObject({ error, retryAfter });
  });
});

describe('without a response', () => {
  const UNSENT = { error: 50301, mayBeStored: false };
  const LOST = { error: 50401, mayBeStored: true };
  /** What Node's fetch throws. */
  const failed = (cause: object) => new TypeError('fetch failed', { cause });
  test.each<[string, unknown, typeof UNSENT]>([
    ['a connection takes too long', failed({ code: 'UND_ERR_CONNECT_TIMEOUT' }), UNSENT],
    ['a certificate has expired', failed({ code: 'CERT_HAS_EXPIRED' }), UNSENT],
    ['a fetch of one’s own cannot connect', { syscall: 'connect', code: 'ECONNREFUSED' }, UNSENT],
    ['reading failed', failed({ syscall: 'read', code: 'ECONNRESET' }), LOST],
    ['one of two addresses accepted', failed(new AggregateError([{ syscall: 'connect' }, {}])), LOST],
    ['there are no reasons', failed(new AggregateError([])), LOST],
    ['there is no reason, as in a browser', new TypeError('Failed to fetch'), LOST],
    ['a later record is no TLS', failed({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), LOST],
  ])('if %s, the plant may be stored, or not', async (_, thrown, expected) => {
    const text =
      expected === LOST
        ? 'the plant may have been stored'
        : 'this attempt stored nothing; check the base URL';
    const said = { message: expect.stringContaining(text), cause: thrown };
    expect(await create(LEAST, thrown)).toMatchObject({ ...expected, ...said });
  });
});
