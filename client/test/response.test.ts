import { describe, expect, test } from 'vitest';
import { LEAST, OTHER, type Plant, TEXT, WHOLE } from '../../contract/examples.ts';
import { createPlantStore, PlantStoreError } from '../src/index.ts';
import { plantOf } from './scripted-service.ts';

const JSON_TYPE = 'application/json';
const FERN = JSON.stringify(LEAST);
/** A plant with a text, and the body that has it. */
const withText = (text: unknown): Plant => ({ ...LEAST, [TEXT]: text });
const json = (text: unknown) => JSON.stringify(withText(text));

type Body = string | Uint8Array<ArrayBuffer> | null;

/** Creates a plant with one attempt. @returns the plant, or the error */
function create(plant: Plant, response: Response): Promise<unknown> {
  const options = { baseUrl: 'http://127.0.0.1', token: 't', maxAttempts: 1, fetch: async () => response };
  return createPlantStore(options)
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
    ['an empty string', withText(''), json('')],
    ['escaped characters', withText('é\u2028🌿'), json('é\u2028🌿').replace('é', '\\u00e9')],
    ['further properties', LEAST, JSON.stringify({ id: 7, ...LEAST, color: { leaf: 'green' } })],
    ['a content type with parameters', LEAST, FERN, 'Application/JSON ; charset=utf-8'],
  ])('%s', async (_, plant, body, contentType) => {
    expect(await create(plant, response(200, body, contentType))).toEqual(plant);
  });

  type Row = [string, Plant, Body, string?];
  const UNSENT = Object.keys(WHOLE).filter((name) => !(name in LEAST));
  test.each<Row>([
    ['another plant', LEAST, JSON.stringify(OTHER)],
    ...UNSENT.map(
      (name): Row => [
        `${name}, which was not sent`,
        LEAST,
        JSON.stringify({ ...LEAST, [name]: WHOLE[name] }),
      ],
    ),
    ['less than was sent', LEAST, '{}'],
    ['a text in another case', withText('Fern'), json('fern')],
    ['a text in another normal form', withText('é'), json('e\u0301')],
    ['a text of null', withText('Fern'), json(null)],
    ['no plant', LEAST, '{"status":"ok"}'],
    ['a list of plants', LEAST, `[${FERN}]`],
    ['null', LEAST, 'null'],
    ['the plant as HTML', LEAST, FERN, 'text/html'],
    ['the plant as another kind of JSON', LEAST, FERN, 'application/jsonp'],
    ['the plant with two content types', LEAST, FERN, 'application/json, text/html'],
    ['the plant without a content type', LEAST, broken(FERN), ''],
    ['a byte that is not UTF-8 in a text', withText('\ufffd'), broken(json('?'))],
    ['a byte that is not UTF-8 elsewhere', LEAST, broken(JSON.stringify({ ...LEAST, color: '?' }))],
    ['a byte order mark', LEAST, `\ufeff${FERN}`],
    ['half of the text', LEAST, FERN.slice(0, -1)],
    ['a web page', LEAST, '<html>Log in</html>', 'text/html'],
    ['nothing', LEAST, null],
  ])('%s is 50401: the plant may be stored', async (_, plant, body, contentType) => {
    const message = expect.stringContaining('status 200');
    const expected = { error: 50401, message, requestId: undefined, retryAfter: 2, mayBeStored: true };
    expect(await create(plant, response(200, body, contentType))).toMatchObject(expected);
  });

  test.each([201, 202, 204, 299])('the plant with status %i is 50401', async (status) => {
    const outcome = await create(LEAST, response(status, status === 204 ? null : FERN));
    expect(outcome).toMatchObject({ error: 50401, mayBeStored: true });
  });
});

describe("a 400 is the service's only if it has an Error", () => {
  const message = 'Taken.';

  test.each([40000, 42901, 59999])('%i is reported as it is', async (error) => {
    const outcome = await create(LEAST, response(400, JSON.stringify({ error, message })));
    expect(outcome).toBeInstanceOf(PlantStoreError);
    expect(outcome).toMatchObject({ error, message });
  });

  const taken = JSON.stringify({ error: 40901, message });
  test.each<[string, Body, string?]>([
    ['an error in a string', '{"error":"40901","message":"Taken."}'],
    ['an error that is no integer', '{"error":40901.5,"message":"Taken."}'],
    ['an error that is a status', '{"error":409,"message":"Taken."}'],
    ['an error below the errors of clients', '{"error":39999,"message":"Taken."}'],
    ['an error above the errors of servers', '{"error":60000,"message":"Taken."}'],
    ['an error with a digit more', '{"error":409010,"message":"Taken."}'],
    ['an error with a digit before', '{"error":140901,"message":"Taken."}'],
    ['an error in exponents', '{"error":4e99,"message":"Taken."}'],
    ['an error that is an object', '{"error":{"code":40901},"message":"Taken."}'],
    ['no message', '{"error":40901}'],
    ['a message of null', '{"error":40901,"message":null}'],
    ['an Error as HTML', taken, 'text/html'],
    ['an Error without a content type', broken(taken), ''],
    ['an Error that is not UTF-8', broken('{"error":40901,"message":"Taken?"}')],
    ['a web page', '<html>', 'text/html'],
    ['nothing', null],
  ])('%s is 40000', async (_, body, contentType) => {
    const said = expect.stringContaining('status 400');
    const expected = { error: 40000, message: said, retryAfter: undefined, mayBeStored: false };
    expect(await create(LEAST, response(400, body, contentType))).toMatchObject(expected);
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
