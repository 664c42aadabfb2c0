import { expect, test, vi } from 'vitest';
import { duration, Speed } from './speed.ts';

test('the rate, and the time that is left', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const speed = new Speed();
  now.mockReturnValue(1_000);
  expect(speed.words(1_000, 10, 100_000)).toBe('10/s, 2 min left');
  expect(speed.words(1_000, 10, undefined)).toBe('10/s');
  now.mockRestore();
  expect([1.4, 89, 90, 5_340, 7_500].map(duration)).toEqual(['1 s', '89 s', '2 min', '89 min', '2 h 5 min']);
});
