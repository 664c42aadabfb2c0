import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openapi30Document } from './openapi-3.0-document.ts';

const read = (file: string) =>
  parse(readFileSync(new URL(`../../contract/${file}`, import.meta.url), 'utf8'));
const info = { title: 'Things', license: { name: 'MIT', identifier: 'MIT' } };

/** What must be in both: all but the examples of a schema, `propertyNames`, `const` and `enum` with one value, the license, and a summary of all. */
function common({ openapi: _, info, ...rest }: ReturnType<typeof read>) {
  const { summary: __, license: ___, ...others } = info;
  const mayDiffer = (key: string, value: unknown) =>
    ['const', 'example', 'propertyNames'].includes(key) ||
    (Array.isArray(value) && (key === 'examples' || (key === 'enum' && value.length === 1)));
  return JSON.parse(
    JSON.stringify({ info: others, ...rest }, (key, value) => (mayDiffer(key, value) ? undefined : value)),
  );
}

test('the contract in OpenAPI 3.0 differs in examples, const, propertyNames, license and summary only', () => {
  const [ours, theirs] = [read('openapi.yaml'), read('openapi-3.0.yaml')];
  expect(theirs.openapi).toBe('3.0.3');
  expect(theirs.info.license).toEqual({ name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' });
  expect(common(theirs)).toEqual(common(ours));
});

test('a schema gets the first example, and an enum for a const; what only has such a name stays', () => {
  const inside = { type: 'string', const: 'a', examples: ['a', 'b'] };
  const map = {
    type: 'object',
    additionalProperties: inside,
    propertyNames: { pattern: 'a' },
    maxProperties: 2,
  };
  const Thing = {
    type: 'object',
    properties: { const: inside, schema: { type: 'array', items: inside }, propertyNames: map },
    examples: [{ type: 'x', const: 'a', examples: ['a', 'b'], schema: { examples: [1] } }],
  };
  const examples = { one: { value: { type: 'x', const: 'a', examples: ['a', 'b'] } } };
  const content = { 'application/json': { schema: inside, examples } };
  const contract = { openapi: '3.1.0', info, paths: { '/things': { get: { content } } } };
  const { text } = openapi30Document(
    JSON.stringify({ ...contract, components: { schemas: { Thing }, examples } }),
  );
  const { paths, components } = parse(text);
  const changed = { type: 'string', enum: ['a'], example: 'a' };
  expect(components).toEqual({
    schemas: {
      Thing: {
        type: 'object',
        properties: {
          const: changed,
          schema: { type: 'array', items: changed },
          propertyNames: { type: 'object', additionalProperties: changed, maxProperties: 2 },
        },
        example: { type: 'x', const: 'a', examples: ['a', 'b'], schema: { examples: [1] } },
      },
    },
    examples,
  });
  expect(paths['/things'].get.content['application/json']).toEqual({ schema: changed, examples });
});
