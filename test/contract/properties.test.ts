import { afterAll, describe, expect, test } from 'vitest';
import { loadCases } from '../../contract/cases.ts';
import { OPENAPI } from '../../contract/openapi.ts';
import { ERRORS } from '../../lambda/errors.ts';
import {
  ANOTHER,
  OPTIONAL,
  OTHERS,
  type Plant,
  plantWith,
  RETURNED,
  SCHEMAS,
  SENT,
  WHOLE,
} from '../support/properties.ts';
import { errorOf, plantEvent, startTestService } from '../support/test-service.ts';

// A property that is added to openapi.yaml must be added in each of these places; CONTRIBUTING.md has the recipe.

const without = (name: string) => Object.fromEntries(Object.entries(WHOLE).filter(([key]) => key !== name));

describe('the schemas in contract/openapi.yaml', () => {
  test.each(SENT)('NewPlant has two different examples of %s', (name) => {
    const { examples = [] } = SCHEMAS.NewPlant.properties[name] ?? {};
    expect(new Set(examples).size).toBeGreaterThanOrEqual(2);
  });

  test('Plant requires what NewPlant requires, except the id', () => {
    expect(SCHEMAS.Plant.required).toEqual(SCHEMAS.NewPlant.required.filter((name) => name !== 'id'));
  });
});

test.each(RETURNED)('a case in contract/cases.yaml can expect %s, and one of them does', (name) => {
  const plants = loadCases().flatMap(({ expected }) => (expected.status === 200 ? [expected.plant] : []));
  const type = typeof WHOLE[name];
  expect(plants.some((plant) => typeof plant[name] === type)).toBe(true);
});

describe('lambda/plant.ts', async () => {
  const service = await startTestService();
  afterAll(() => service.close());
  let lastId = 0;
  const nextId = () => ++lastId;
  const send = (plant: Plant) => service.handler(plantEvent(service.token, JSON.stringify(plant)));

  test.each(OTHERS)(
    '%s is checked, stored, returned, and compared when a create is repeated',
    async (name) => {
      const plant = plantWith(name);
      const id = nextId();
      const { body } = await send({ ...plant, id, [name]: null });
      expect(JSON.parse(body)).toEqual({
        error: 40002,
        message: expect.stringMatching(`^${name} must be a`),
      });
      const created = await send({ ...plant, id });
      const { id: _, ...returned } = plant;
      expect(JSON.parse(created.body)).toEqual(returned);
      expect(await service.item(String(id))).toHaveProperty(name, WHOLE[name]);
      expect(errorOf(await send({ ...plant, id, [name]: ANOTHER[name] }))).toBe(40901);
    },
  );

  test.each(OTHERS.filter((name) => name !== 'name'))(
    '%s counts towards the size of a plant',
    async (name) => {
      // The longest name of a plant that has nothing else ("Sizes" in openapi.yaml).
      const plant = { ...plantWith(name), id: nextId(), name: 'x'.repeat(409_582) };
      expect(errorOf(await send(plant))).toBe(41301);
    },
  );

  test.each(OPTIONAL)('a missing %s is compared when a create is repeated', async (name) => {
    const [first, second] = [nextId(), nextId()];
    await send({ ...WHOLE, id: first });
    expect(errorOf(await send({ ...without(name), id: first }))).toBe(40901);
    await send({ ...without(name), id: second });
    expect(errorOf(await send({ ...WHOLE, id: second }))).toBe(40901);
  });
});

describe('the messages', () => {
  test.each(SENT)('lambda/errors.ts names %s in the message of 40002', (name) => {
    expect(ERRORS.INVALID_PLANT.message).toMatch(new RegExp(`\\b${name}\\b`));
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
