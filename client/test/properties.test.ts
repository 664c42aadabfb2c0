import { describe, expect, test } from 'vitest';
import { asRead, type Plant, RETURNED, SENT, WHOLE } from '../../test/support/properties.ts';
import { createPlantStore } from '../src/index.ts';

// A property that is added to openapi.yaml must be added to the client, too; CONTRIBUTING.md has the recipe.

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
    expect(await store.createPlant(asRead(WHOLE) as never)).toHaveProperty(name, asRead(WHOLE)[name]);
  });
});
