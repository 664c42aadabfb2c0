import { expect, test } from 'vitest';
import { optionalList, requireVariable } from '../../lambda/environment.ts';

// handler.test.ts sets the variables by their names, with a list of two origins.

test('a variable that is empty is not set; the error names it', () => {
  expect(() => requireVariable('PLANTS_TABLE', { PLANTS_TABLE: '' })).toThrow('PLANTS_TABLE is not set');
  expect(optionalList('ALLOWED_ORIGINS', { ALLOWED_ORIGINS: '' })).toBeUndefined();
});
