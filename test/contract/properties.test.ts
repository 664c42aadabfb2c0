import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { OPENAPI } from '../../contract/openapi.ts';
import { ERRORS } from '../../lambda/errors.ts';
import { nearPlant } from '../fuzz/plant-texts.ts';
import { plant as roundTripPlant } from '../fuzz/round-trip.ts';
import { OPTIONAL, type Plant, RETURNED, SCHEMAS, SENT, TEXTS, WHOLE } from '../support/properties.ts';
import { errorOf, plantEvent, startTestService } from '../support/test-service.ts';

// A property that is added to openapi.yaml must be added in each of these places; CONTRIBUTING.md has the recipe.

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
