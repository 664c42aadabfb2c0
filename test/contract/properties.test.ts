import { describe, expect, test } from 'vitest';
import { OPENAPI } from '../../contract/openapi.ts';
import { ERRORS } from '../../lambda/errors.ts';
import { type Plant, RETURNED, SCHEMAS, SENT } from '../support/properties.ts';

// A property that is added to openapi.yaml must be added in each of these places; CONTRIBUTING.md has the recipe. The compiler holds
// lambda/plant.ts to the types, and openapi.test.ts the types to openapi.yaml.

describe('the schemas in contract/openapi.yaml', () => {
  test.each(SENT)('NewPlant has two different examples of %s', (name) => {
    const { examples = [] } = SCHEMAS.NewPlant.properties[name] ?? {};
    expect(new Set(examples).size).toBeGreaterThanOrEqual(2);
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
