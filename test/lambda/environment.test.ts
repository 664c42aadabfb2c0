import { expect, test } from 'vitest';
import { optionalList, requireVariable } from '../../lambda/environment.ts';

// handler.test.ts sets the variables by their names.

test('the error names a missing or empty variable', () => {
  expect(() => requireVariable('PLANTS_TABLE', {})).toThrow('PLANTS_TABLE is not set');
  expect(() => requireVariable('PLANTS_TABLE', { PLANTS_TABLE: '' })).toThrow('PLANTS_TABLE is not set');
  expect(requireVariable('PLANTS_TABLE', { PLANTS_TABLE: 'Plants' })).toBe('Plants');
});

test('the items of a list are separated by spaces; an empty one is absent', () => {
  const list = (value?: string) => optionalList('ALLOWED_ORIGINS', { ALLOWED_ORIGINS: value });
  expect([list(), list('')]).toEqual([undefined, undefined]);
  expect(list('https://a.example http://localhost:1')).toEqual(['https://a.example', 'http://localhost:1']);
});
