import { expect, test } from 'vitest';
import { ERRORS } from '../../lambda/answer/errors.ts';
import { COUNTED_ERRORS } from './policies/metric-filters.ts';

test('the policy on metrics knows every published error', () => {
  const published = Object.values(ERRORS).map(({ error }) => error);
  expect(published.sort()).toEqual(Object.keys(COUNTED_ERRORS).map(Number));
});
