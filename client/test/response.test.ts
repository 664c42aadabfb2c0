import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LEAST, OTHER, type Plant, TEXT, WHOLE } from '../../contract/examples.ts';
import { OPTIONAL } from '../../test/support/properties.ts';
import { createPlantStore, PlantStoreError } from '../src/index.ts';
import { plantOf } from './scripted-service.ts';

const JSON_TYPE = 'application/json';
const FERN = JSON.stringify(LEAST);
/** A plant with a text, and the body that has it. */
const withText = (text: unknown): Plant => ({ ...LEAST, [TEXT]: text });
const json = (text: unknown) => JSON.stringify(withText(text));

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

function response(status: number, body: Body, contentType: string | undefined = JSON_TYPE) {
  return new Response(body, { status, headers: contentType === '' ? {} : { 'content-type': contentType } });
}

/** The UTF-8 of a text in which each ? is one byte that UTF-8 does not have. */
const broken = (text: string) => Uint8Array.from(text, (c) => (c === '?' ? 0xff : c.charCodeAt(0)));

describe('a 200 is success only if it has the plant that was sent', () => {
  test.each<[string, Plant, string, string?]>([
    ['what is required', LEAST, FERN],
    ['all properties', WHOLE, JSON.stringify(WHOLE)],
    ['escaped characters', withText('é\u2028🌿'), json('é\u2028🌿').replace('é', '\\u00e9')],
    ['further properties', LEAST, JSON.stringify({ id: 7, ...LEAST, quux: { leaf: 'green' } })],
    ['a content type with parameters', LEAST, FERN, 'Application/JSON ; charset=utf-8'],
  ])('%s', async (_, plant, body, contentType) => {
    expect(await create(plant, response(200, body, contentType))).toEqual(plant);
  });

  type Row = [string, Plant, Body, string?];
  test.each<Row>([
    ['another plant', LEAST, JSON.stringify(OTHER)],
    ...OPTIONAL.map(
      (name): Row => [
        `${name}, which was not sent`,
        LEAST,
        JSON.stringify({ ...LEAST, [name]: WHOLE[name] }),
      ],
    ),
    ['null', LEAST, 'null'],
    ['the plant as another kind of JSON', LEAST, FERN, 'application/jsonp'],
    ['the plant without a content type', LEAST, broken(FERN), ''],
    ['a byte that is not UTF-8 elsewhere', LEAST, broken(JSON.stringify({ ...LEAST, quux: '?' }))],
    ['a byte order mark', LEAST, `\ufeff${FERN}`],
    ['nothing', LEAST, null],
  ])('%s is 50401: the plant may be stored', async (_, plant, body, contentType) => {
    const message = expect.stringContaining('status 200');
    const expected = { error: 50401, message, requestId: undefined, mayBeStored: true };
    expect(await create(plant, response(200, body, contentType))).toMatchObject(expected);
  });
});

describe("a 400 is the service's only if it has an Error", () => {
  const message = 'Taken.';

  test.each([40000, 59999])('%i is reported as it is', async (error) => {
    const outcome = await create(LEAST, response(400, JSON.stringify({ error, message })));
    expect(outcome).toBeInstanceOf(PlantStoreError);
    expect(outcome).toMatchObject({ error, message });
  });

  const taken = JSON.stringify({ error: 40901, message });
  test.each<[string, Body, string?]>([
    ['an error in a string', '{"error":"40901","message":"Taken."}'],
    ['an error above the errors of servers', '{"error":60000,"message":"Taken."}'],
    ['an error with a digit more', '{"error":409010,"message":"Taken."}'],
    ['an error with a digit before', '{"error":140901,"message":"Taken."}'],
    ['no message', '{"error":40901}'],
    ['an Error as HTML', taken, 'text/html'],
  ])('%s is 40000', async (_, body, contentType) => {
    const said = expect.stringContaining('status 400');
    const expected = { error: 40000, message: said, retryAfter: undefined, mayBeStored: false };
    expect(await create(LEAST, response(400, body, contentType))).toMatchObject(expected);
  });
});

test.each<[number, string, number, number | undefined, boolean]>([
  // Browsers hide the status of a redirect that was not followed.
  [0, 'a redirect', 40000, undefined, false],
  [299, 'status 299', 50401, 2, true],
  [300, 'status 300', 40000, undefined, false],
  [408, 'status 408', 50401, 2, true],
  [413, 'status 413', 41301, undefined, false],
  [429, 'status 429', 42901, 1, false],
  [499, 'status 499', 40000, undefined, false],
  [500, 'status 500', 50401, 2, true],
])(
  'a response with status %i is not the service’s: %s',
  async (status, said, error, retryAfter, mayBeStored) => {
    const foreign = response(200, JSON.stringify({ ...LEAST, error: 40002, message: 'm' }));
    Object.defineProperty(foreign, 'status', { value: status });
    const expected = { error, retryAfter, mayBeStored, message: expect.stringContaining(said) };
    expect(await create(LEAST, foreign)).toMatchObject({ ...expected, requestId: undefined });
  },
);

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
    onTestFinished(() => void vi.useRealTimers());
    const refused = response(400, JSON.stringify({ error, message: 'm' }));
    refused.headers.set('retry-after', value);
    expect(await create(LEAST, refused)).toMatchObject({ error, retryAfter });
  });
});

describe('without a response', () => {
  /** What Node's fetch throws. */
  const failed = (cause: object) => new TypeError('fetch failed', { cause });
  test.each<[string, unknown]>([
    ['a connection takes too long', failed({ code: 'UND_ERR_CONNECT_TIMEOUT' })],
    ['a certificate has expired', failed({ code: 'CERT_HAS_EXPIRED' })],
    ['a fetch of one’s own cannot connect', { syscall: 'connect', code: 'ECONNREFUSED' }],
  ])('nothing was stored if %s', async (_, thrown) => {
    const message = expect.stringContaining('this attempt stored nothing; check the base URL');
    const expected = { error: 50301, message, mayBeStored: false, cause: thrown };
    expect(await create(LEAST, thrown)).toMatchObject(expected);
  });

  test.each<[string, unknown]>([
    ['reading failed', failed({ syscall: 'read', code: 'ECONNRESET' })],
    ['one of two addresses accepted', failed(new AggregateError([{ syscall: 'connect' }, {}]))],
    ['there are no reasons', failed(new AggregateError([]))],
    ['there is no reason, as in a browser', new TypeError('Failed to fetch')],
    ['a later record is no TLS', failed({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' })],
  ])('the plant may be stored if %s', async (_, thrown) => {
    const message = expect.stringContaining('the plant may have been stored');
    expect(await create(LEAST, thrown)).toMatchObject({
      error: 50401,
      message,
      mayBeStored: true,
    });
  });
});

test('what is compared is what was sent, whatever the caller does with the plant in the meantime', async () => {
  const plant = { ...plantOf(1) };
  const fetch = async () => {
    Object.assign(plant, OTHER);
    return response(200, FERN);
  };
  const store = createPlantStore({ baseUrl: 'http://127.0.0.1', token: 't', maxAttempts: 1, fetch });
  expect(await store.createPlant(plant)).toEqual(LEAST);
});
