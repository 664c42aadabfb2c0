import { expect, test } from 'vitest';
import { optionalList, requireVariable } from '../../lambda/environment.ts';

// handler.test.ts sets the variables by their names.

test('the error names a missing or empty variable', () => {
  expect(() => requireVariable('PLANTS_TABLE', {})).toThrow('PLANTS_TABLE is not set');
  expect(() => requireVariable('PLANTS_TABLE', { PLANTS_TABLE: '' })).toThrow('PLANTS_TABLE is not set');
  expect(requireVariable('PLANTS_TABLE', { PLANTS_TABLE: 'Plants' })).toBe('Plants');
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['https://a.example', ['https://a.example']],
  ['https://a.example http://localhost:1', ['https://a.example', 'http://localhost:1']],
])('the items of a list are separated by spaces: %j', (value, list) => {
  expect(optionalList('ALLOWED_ORIGINS', { ALLOWED_ORIGINS: value })).toEqual(list);
});
