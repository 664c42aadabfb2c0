import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { withoutNotes } from '../../commands/generate/property-kind.ts';
import { type Plant as Json, PROPERTIES as SCHEMAS } from '../../contract/examples.ts';
import { IS_NUMBER } from '../../contract/key.ts';
import { OPENAPI, OPERATIONS, type Schema } from '../../contract/openapi.ts';
import { PROPERTIES, type PropertyName } from '../../lambda/plant.ts';
import { parseJson } from '../../lambda/request/parse-json.ts';
import { ROUTES } from '../../lambda/routes.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';

describe('openapi.yaml agrees with the code', () => {
  test('the operations are those of the code, each with two responses and a bearer token', () => {
    expect(OPENAPI.info.version).toBe('1.0.0');
    const routes = Object.values(ROUTES);
    expect(OPERATIONS).toHaveLength(routes.length);
    expect(OPERATIONS).toEqual(expect.arrayContaining(routes));
    const { post } = OPENAPI.paths['/plants'];
    const [scheme = ''] = Object.keys(OPENAPI.components.securitySchemes);
    for (const { method, path } of OPERATIONS) {
      const operation = OPENAPI.paths[path][method.toLowerCase()];
      expect(Object.keys(operation.responses)).toEqual(['200', '400']);
      expect(operation.security ?? OPENAPI.security).toEqual([{ [scheme]: [] }]);
    }
    expect(OPENAPI.components.schemas.Error).toMatchObject({
      required: ['error', 'message'],
      properties: { error: { type: 'integer', format: 'int32' }, message: { type: 'string' } },
    });
    expect(post.requestBody.required).toBe(true);
    expect(OPENAPI.components.securitySchemes[scheme]).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  // `npm run generate` makes Plant of it.
  test('NewPlant has the properties of the code, with their types and limits', () => {
    const schema = OPENAPI.components.schemas.NewPlant;
    const properties = Object.entries(PROPERTIES);
    const documented = { description: expect.any(String), examples: expect.any(Array) };
    expect(Object.keys(schema.properties).sort()).toEqual(properties.map(([property]) => property).sort());
    for (const [property, { type }] of properties) {
      expect({ [property]: schema.properties[property] }).toMatchObject({ [property]: documented });
      const published = withoutNotes(schema.properties[property]);
      expect({ [property]: published }).toEqual({ [property]: withoutNotes(type.schema as Schema) });
    }
    const required = properties.filter(([, { required }]) => required);
    expect([...schema.required].sort()).toEqual(required.map(([property]) => property).sort());
  });
});

test('openapi.yaml suits generators of clients', () => {
  const { Plant: plant, NewPlant: newPlant, Error: error } = OPENAPI.components.schemas;
  // The first address has no variables.
  expect(OPENAPI.servers[0]).toEqual({ url: 'http://127.0.0.1:3000', description: expect.any(String) });
  // Bruno names files by them.
  for (const { description } of OPENAPI.servers) expect(description).toMatch(/^\w{1,20}$/);
  // openapi-generator copies the description into every file.
  expect(OPENAPI.info.description.length).toBeLessThan(300);
  if (IS_NUMBER)
    expect(
      newPlant.properties.id.description,
      'contract/openapi.yaml, NewPlant: the description of id says which integers a double changes',
    ).toContain('9007199254740991');
  expect([plant.additionalProperties, error.additionalProperties]).toEqual([true, true]);
});

/** What stands in a part of the document, or where it refers to. */
const partOf = (part: { $ref?: string }): typeof OPENAPI =>
  (part.$ref?.split('/').slice(1) ?? []).reduce(
    (whole, name) => whole[name.replaceAll('~1', '/')],
    part.$ref ? OPENAPI : part,
  );

test('the examples of requests and responses conform to their schemas', () => {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    multipleOfPrecision: 4,
    ownProperties: true,
  }).addSchema(OPENAPI, 'openapi');
  const contents = OPERATIONS.flatMap(({ method, path }) => {
    const { requestBody, responses } = OPENAPI.paths[path][method.toLowerCase()];
    return [requestBody ?? [], Object.values<object>(responses)].flat().map((part) => partOf(part).content);
  });
  const examples = contents.flatMap(({ 'application/json': { schema, examples } }) => {
    const uses = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')));
    return Object.values<object>(examples ?? {}).map((each) => {
      const { value } = partOf(each);
      return uses(value) ? [] : [value, uses.errors];
    });
  });
  expect(examples.length).toBeGreaterThan(4);
  expect(examples.flat()).toEqual([]);
});

test.each(Object.entries(SCHEMAS))(
  'contract/openapi.yaml has examples of %s, which the service accepts',
  (name, { examples }) => {
    const { type } = PROPERTIES[name as PropertyName];
    for (const example of examples)
      expect(() => type.read(parseJson(JSON.stringify(example)), { path: name })).not.toThrow();
    expect(`${name} is missing; it must be ${type.mustBe}.`.length).toBeLessThan(200);
  },
);

// Tools send the examples of requests, and one plant of the first example of each property, one of the second ones.
test('the examples do not contradict each other: an id has one plant', async () => {
  const properties = Object.entries(SCHEMAS);
  const made = [0, 1].map((n) =>
    Object.fromEntries(properties.map(([name, { examples }]) => [name, examples?.[n]])),
  );
  const written = Object.values<{ value: Json }>(OPENAPI.components.examples).map(({ value }) => value);
  const service = await startTestService();
  for (const body of [...made, ...written].map((plant) => JSON.stringify(plant))) {
    const { statusCode } = await service.handler(plantEvent(service.token, body));
    expect([body, statusCode]).toEqual([body, 200]);
  }
  await service.close();
});
