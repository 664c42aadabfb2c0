import { expect, test } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import { list } from '../../lambda/property-types/list.ts';
import { object } from '../../lambda/property-types/object.ts';
import { text } from '../../lambda/property-types/text.ts';
import { unknownIn, unknownProperty } from './unknown-property.ts';

const stop = object({
  city: { type: text(), required: true },
  notes: { type: list(text(), { maxItems: 9 }), required: false },
});
const stops = list(stop, { maxItems: 9 });

test.each([
  [text(), '"abc"', undefined],
  [stop, '{"city":"{\\"x\\":1}","notes":["x","y"]}', undefined],
  [stop, '{"city":"Rome","zip":null}', 'p.zip'],
  [stop, '{"city":"Rome","__proto__":{}}', 'p.__proto__'],
  [stop, '{"city":"Rome","constructor":"x"}', 'p.constructor'],
  [stops, '[{"city":"Rome"},{"city":"Bari","":0}]', 'p[1].'],
  [stops, '[]', undefined],
])('%# of %s, the service would drop a property of %s: %s', ({ schema }, json, expected) => {
  expect(unknownIn(schema, json, 'p')).toBe(expected);
});

test('a plant has no other properties than its own', () => {
  const own = Object.entries(LEAST).map(([name, value]) => [name, JSON.stringify(value)] as const);
  expect(unknownProperty([['id', '7'], ...own])).toBeUndefined();
  expect(unknownProperty([...own, ['toString', '1']])).toBe('toString');
});
