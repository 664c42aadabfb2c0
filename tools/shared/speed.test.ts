import { expect, test, vi } from 'vitest';
import { duration, Speed } from './speed.ts';

test('the rate and the time left are those of the last ten seconds', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const speed = new Speed();
  expect(speed.words(0, 0, 100_000)).toBe('');
  now.mockReturnValue(1_000);
  expect(speed.words(1_000, 10, 100_000)).toBe('10/s, 2 min left');
  expect(speed.words(1_000, 10, undefined)).toBe('10/s');
  for (let ms = 2_000; ms <= 30_000; ms += 1_000) {
    now.mockReturnValue(ms);
    speed.words(1_000, 10, 100_000);
  }
  expect(speed.words(1_000, 10, 100_000)).toBe('0/s');
  now.mockReturnValue(31_000);
  expect(speed.words(91_000, 910, 100_000)).toMatch(/^\d\d\/s, 1 s left$/);
  now.mockRestore();
  expect([1.4, 89, 90, 5_340, 7_500].map(duration)).toEqual(['1 s', '89 s', '2 min', '89 min', '2 h 5 min']);
});
