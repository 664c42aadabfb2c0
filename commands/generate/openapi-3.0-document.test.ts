import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openapi30Document } from './openapi-3.0-document.ts';

const read = (file: string) =>
  parse(readFileSync(new URL(`../../contract/${file}`, import.meta.url), 'utf8'));
const info = { title: 'Things', license: { name: 'MIT', identifier: 'MIT' } };

/** What must be in both: all but the examples of a schema, `const` and `enum` with one value, the license, and a summary of all. */
function common({ openapi: _, info, ...rest }: ReturnType<typeof read>) {
  const { summary: __, license: ___, ...others } = info;
  const mayDiffer = (key: string, value: unknown) =>
    ['const', 'example'].includes(key) ||
    (Array.isArray(value) && (key === 'examples' || (key === 'enum' && value.length === 1)));
  return JSON.parse(
    JSON.stringify({ info: others, ...rest }, (key, value) => (mayDiffer(key, value) ? undefined : value)),
  );
}

test('the contract in OpenAPI 3.0 differs in examples, const, license and summary only', () => {
  const [ours, theirs] = [read('openapi.yaml'), read('openapi-3.0.yaml')];
  expect(theirs.openapi).toBe('3.0.3');
  expect(theirs.info.license).toEqual({ name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' });
  expect(common(theirs)).toEqual(common(ours));
});

test('a schema gets the first example, and an enum for a const; what only has such a name stays', () => {
  const schema = {
    type: 'object',
    properties: { const: { type: 'string', const: 'a', examples: ['a', 'b'] } },
  };
  const named = { examples: { one: { value: { const: 'a', examples: ['a', 'b'] } } } };
  const { text } = openapi30Document(
    JSON.stringify({ openapi: '3.1.0', info, components: { schema, named } }),
  );
  const changed = { type: 'object', properties: { const: { type: 'string', enum: ['a'], example: 'a' } } };
  expect(parse(text).components).toEqual({ schema: changed, named });
});
