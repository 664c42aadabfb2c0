import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createPlantStore } from '../../client/src/index.ts';
import { OPENAPI } from '../../contract/openapi.ts';
import { ERRORS } from '../../lambda/errors.ts';
import { csvRecords } from '../../tools/import/csv.ts';
import { ndjsonRecords } from '../../tools/import/ndjson.ts';
import { nearPlant } from '../fuzz/plant-texts.ts';
import { plant as roundTripPlant } from '../fuzz/round-trip.ts';
import { errorOf, plantEvent, startTestService } from '../support/test-service.ts';

// A property that is added to openapi.yaml must be added in each of these places; CONTRIBUTING.md has the recipe.

type Plant = Record<string, unknown>;

interface Schema {
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
  readonly required: readonly string[];
}

const SCHEMAS = OPENAPI.components.schemas as Record<'NewPlant' | 'Plant', Schema>;
const SENT = Object.keys(SCHEMAS.NewPlant.properties);
const TEXTS = SENT.filter((name) => name !== 'id');
const RETURNED = Object.keys(SCHEMAS.Plant.properties);
const OPTIONAL = TEXTS.filter((name) => !SCHEMAS.NewPlant.required.includes(name));

/** A plant with every property; the texts differ. */
const WHOLE: Plant = Object.fromEntries(SENT.map((name) => [name, name === 'id' ? 7 : `a ${name}`]));
const without = (name: string) => Object.fromEntries(Object.entries(WHOLE).filter(([key]) => key !== name));

test('each property of a plant but the id is a text', () => {
  const types = TEXTS.map((name) => SCHEMAS.NewPlant.properties[name]?.type);
  expect(types).toEqual(TEXTS.map(() => 'string'));
  expect(SCHEMAS.Plant.required).toEqual(SCHEMAS.NewPlant.required.filter((name) => name !== 'id'));
});

describe('the function', async () => {
  const service = await startTestService();
  afterAll(() => service.close());
  let lastId = 0;
  const nextId = () => ++lastId;
  const send = (plant: Plant) => service.handler(plantEvent(service.token, JSON.stringify(plant)));

  test.each(TEXTS)('lambda/request/new-plant.ts checks %s', async (name) => {
    const { body } = await send({ ...WHOLE, id: nextId(), [name]: 7 });
    expect(JSON.parse(body)).toEqual({ error: 40002, message: `${name} must be a string.` });
  });

  test.each(TEXTS)('lambda/store/plant-table.ts stores %s', async (name) => {
    const id = nextId();
    await send({ ...WHOLE, id });
    expect(await service.item(String(id))).toHaveProperty(name, `a ${name}`);
  });

  test.each(TEXTS)('lambda/store/plant-table.ts compares %s when a create is repeated', async (name) => {
    const id = nextId();
    await send({ ...WHOLE, id });
    expect(errorOf(await send({ ...WHOLE, id, [name]: 'another' }))).toBe(40901);
  });

  test.each(OPTIONAL)(
    'lambda/store/plant-table.ts compares a missing %s when a create is repeated',
    async (name) => {
      const [first, second] = [nextId(), nextId()];
      await send({ ...WHOLE, id: first });
      expect(errorOf(await send({ ...without(name), id: first }))).toBe(40901);
      await send({ ...without(name), id: second });
      expect(errorOf(await send({ ...WHOLE, id: second }))).toBe(40901);
    },
  );

  test.each(TEXTS)('lambda/store/plant-table.ts counts %s in the size of the item', async (name) => {
    const plant = { ...WHOLE, id: nextId(), [name]: 'x'.repeat(409_600) };
    expect(errorOf(await send(plant))).toBe(41301);
  });

  test.each(RETURNED)('lambda/response/responses.ts returns %s', async (name) => {
    const { body } = await send({ ...WHOLE, id: nextId() });
    expect(JSON.parse(body)).toHaveProperty(name, `a ${name}`);
  });
});

describe('the messages', () => {
  test.each(SENT)('lambda/errors.ts names %s in the message of 40002', (name) => {
    expect(ERRORS.INVALID_PLANT.message).toMatch(new RegExp(`\\b${name}\\b`));
  });

  test.each(TEXTS)('lambda/errors.ts names %s in the message of 41301', (name) => {
    expect(ERRORS.TOO_LARGE.message).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe('the client', () => {
  const sent: Plant[] = [];
  const store = createPlantStore({
    baseUrl: 'http://127.0.0.1',
    token: 'token',
    fetch: async (_, init) => {
      sent.push(JSON.parse(String(init?.body)));
      const plant = Object.fromEntries(RETURNED.map((name) => [name, WHOLE[name]]));
      return Response.json(plant);
    },
  });

  test.each(SENT)('client/src/plant.ts sends %s', async (name) => {
    await store.createPlant(WHOLE as never);
    expect(sent.at(-1)).toHaveProperty(name, WHOLE[name]);
  });

  test.each(RETURNED)('client/src/plant.ts returns %s', async (name) => {
    expect(await store.createPlant(WHOLE as never)).toHaveProperty(name, `a ${name}`);
  });
});

describe('npm run import', () => {
  const chunks = (text: string) => Readable.from([Buffer.from(text)]) as AsyncIterable<Buffer>;
  /** What a plant must have, and one more property, so that each property fails alone. */
  const plantWith = (name: string) =>
    Object.fromEntries([...SCHEMAS.NewPlant.required, name].map((key) => [key, WHOLE[key]]));
  const expected = (name: string) => (name === 'id' ? 7n : WHOLE[name]);

  test.each(SENT)('tools/import/csv.ts reads %s', async (name) => {
    const plant = plantWith(name);
    const csv = `${Object.keys(plant).join()}\n${Object.values(plant).join()}\n`;
    const { value: record } = await csvRecords(chunks(csv)).next();
    expect(record?.content).toHaveProperty(['plant', name], expected(name));
  });

  test.each(SENT)('tools/import/ndjson.ts reads %s', async (name) => {
    const line = JSON.stringify(plantWith(name));
    const { value: record } = await ndjsonRecords(chunks(line)).next();
    expect(record?.content).toHaveProperty(['plant', name], expected(name));
  });
});

describe('random plants', () => {
  const samples = fc.sample(nearPlant, { numRuns: 200, seed: 1 });
  const roundTrips = fc.sample(roundTripPlant, { numRuns: 50, seed: 1 });

  test.each(SENT)('test/fuzz/plant-texts.ts generates %s', (name) => {
    expect(samples.some((text) => text.includes(`"${name}"`))).toBe(true);
  });

  test.each(SENT)('test/fuzz/round-trip.ts generates %s', (name) => {
    expect(roundTrips.some(({ sent }) => Object.hasOwn(sent, name))).toBe(true);
  });
});

describe('the API page', () => {
  test.each(SENT)('contract/openapi.yaml has an example with %s', (name) => {
    const values = Object.values(OPENAPI.components.examples as Record<string, { value: Plant }>);
    expect(values.some(({ value }) => Object.hasOwn(value, name))).toBe(true);
  });

  test.each(RETURNED)('contract/openapi.yaml has an example of a response with %s', (name) => {
    const { examples } = OPENAPI.paths['/plants'].post.responses['200'].content['application/json'];
    const values = Object.values(examples as Record<string, { value: Plant }>);
    expect(values.some(({ value }) => Object.hasOwn(value, name))).toBe(true);
  });
});
