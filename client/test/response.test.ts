import { describe, expect, test } from 'vitest';
import { createPlantStore, type NewPlant, PlantStoreError } from '../src/index.ts';

const JSON_TYPE = 'application/json';
const FERN = '{"name":"Fern"}';
const TAGGED = '{"name":"Fern","tag":"shade"}';

type Body = string | Uint8Array<ArrayBuffer> | null;

/** Creates a plant with one attempt. @returns the plant, or the error */
function create(plant: Omit<NewPlant, 'id'>, response: Response): Promise<unknown> {
  const options = { baseUrl: 'http://127.0.0.1', token: 't', maxAttempts: 1, fetch: async () => response };
  return createPlantStore(options)
    .createPlant({ id: 1, ...plant })
    .catch((error: unknown) => error);
}

function response(status: number, body: Body, contentType: string | undefined = JSON_TYPE) {
  return new Response(body, { status, headers: contentType === '' ? {} : { 'content-type': contentType } });
}

/** The UTF-8 of a text in which each ? is one byte that UTF-8 does not have. */
const broken = (text: string) => Uint8Array.from(text, (c) => (c === '?' ? 0xff : c.charCodeAt(0)));

describe('a 200 is success only if it has the plant that was sent', () => {
  test.each<[string, Omit<NewPlant, 'id'>, string, string?]>([
    ['a name', { name: 'Fern' }, FERN],
    ['a name and a tag', { name: 'Fern', tag: 'shade' }, TAGGED],
    ['empty strings', { name: '', tag: '' }, '{"tag":"","name":""}'],
    ['escaped characters', { name: 'é\u2028🌿' }, '{"name":"\\u00e9\\u2028\\ud83c\\udf3f"}'],
    ['further properties', { name: 'Fern' }, '{"name":"Fern","id":7,"color":{"leaf":"green"}}'],
    ['a content type with parameters', { name: 'Fern' }, FERN, 'Application/JSON ; charset=utf-8'],
  ])('%s', async (_, plant, body, contentType) => {
    expect(await create(plant, response(200, body, contentType))).toEqual(plant);
  });

  test.each<[string, Omit<NewPlant, 'id'>, Body, string?]>([
    ['another name', { name: 'Fern' }, '{"name":"Moss"}'],
    ['a name in another case', { name: 'Fern' }, '{"name":"fern"}'],
    ['a name in another normal form', { name: 'é' }, '{"name":"e\u0301"}'],
    ['no name', { name: 'Fern' }, '{"status":"ok"}'],
    ['a list of plants', { name: 'Fern' }, `[${FERN}]`],
    ['null', { name: 'Fern' }, 'null'],
    ['another tag', { name: 'Fern', tag: 'flower' }, TAGGED],
    ['no tag, although one was sent', { name: 'Fern', tag: 'shade' }, FERN],
    ['a tag, although none was sent', { name: 'Fern' }, TAGGED],
    ['a tag of null', { name: 'Fern' }, '{"name":"Fern","tag":null}'],
    ['the plant as HTML', { name: 'Fern' }, FERN, 'text/html'],
    ['the plant as another kind of JSON', { name: 'Fern' }, FERN, 'application/jsonp'],
    ['the plant with two content types', { name: 'Fern' }, FERN, 'application/json, text/html'],
    ['the plant without a content type', { name: 'Fern' }, broken(FERN), ''],
    ['a byte that is not UTF-8 in the name', { name: '\ufffd' }, broken('{"name":"?"}')],
    ['a byte that is not UTF-8 elsewhere', { name: 'Fern' }, broken('{"name":"Fern","color":"?"}')],
    ['a byte order mark', { name: 'Fern' }, `\ufeff${FERN}`],
    ['half of the text', { name: 'Fern' }, '{"name":"Fern"'],
    ['a web page', { name: 'Fern' }, '<html>Log in</html>', 'text/html'],
    ['nothing', { name: 'Fern' }, null],
  ])('%s is 50401: the plant may be stored', async (_, plant, body, contentType) => {
    const message = expect.stringContaining('status 200');
    const expected = { error: 50401, message, requestId: undefined, retryAfter: 2, mayBeStored: true };
    expect(await create(plant, response(200, body, contentType))).toMatchObject(expected);
  });

  test.each([201, 202, 204, 299])('the plant with status %i is 50401', async (status) => {
    const outcome = await create({ name: 'Fern' }, response(status, status === 204 ? null : FERN));
    expect(outcome).toMatchObject({ error: 50401, mayBeStored: true });
  });
});

describe("a 400 is the service's only if it has an Error", () => {
  const message = 'Taken.';

  test.each([40000, 42901, 59999])('%i is reported as it is', async (error) => {
    const outcome = await create({ name: 'Fern' }, response(400, JSON.stringify({ error, message })));
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
    expect(await create({ name: 'Fern' }, response(400, body, contentType))).toMatchObject(expected);
  });
});

test('what is compared is what was sent, whatever the caller does with the plant in the meantime', async () => {
  const plant = { id: 1, name: 'Fern' };
  const fetch = async () => {
    plant.name = 'Moss';
    return response(200, FERN);
  };
  const store = createPlantStore({ baseUrl: 'http://127.0.0.1', token: 't', maxAttempts: 1, fetch });
  expect(await store.createPlant(plant)).toEqual({ name: 'Fern' });
});
