import { afterAll, describe, expect, test } from 'vitest';
import { OPENAPI } from '../../contract/openapi.ts';
import { ERRORS } from '../../lambda/errors.ts';
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

  // lambda/plant.ts has the list from which all of this follows.
  test.each(TEXTS)('%s is checked, stored, compared when a create is repeated, and counted', async (name) => {
    const whole = { ...WHOLE, id: nextId() };
    const { body } = await send({ ...whole, [name]: 7 });
    expect(JSON.parse(body)).toEqual({ error: 40002, message: `${name} must be a string.` });
    expect(errorOf(await send({ ...whole, [name]: 'x'.repeat(409_600) }))).toBe(41301);
    const created = await send(whole);
    expect(JSON.parse(created.body)).toEqual(Object.fromEntries(RETURNED.map((each) => [each, `a ${each}`])));
    expect(await service.item(String(whole.id))).toHaveProperty(name, `a ${name}`);
    expect(errorOf(await send({ ...whole, [name]: 'another' }))).toBe(40901);
  });

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

  test.each(TEXTS)('lambda/errors.ts names %s in the message of 41301', (name) => {
    expect(ERRORS.TOO_LARGE.message).toMatch(new RegExp(`\\b${name}\\b`));
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
