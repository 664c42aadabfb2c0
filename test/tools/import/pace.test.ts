import { expect, test, vi } from 'vitest';
import { Pace } from '../../../tools/import/pace.ts';
import { duration, Speed } from '../../../tools/import/speed.ts';

test('each answer allows one more request, up to the maximum', () => {
  const pace = new Pace(3);
  expect(pace.limit).toBe(1);
  for (const limit of [2, 3, 3]) {
    pace.faster();
    expect(pace.limit).toBe(limit);
  }
});

test('throttled requests of one round halve the limit once; then each round of answers adds one', async () => {
  const pace = new Pace(8);
  for (let count = 0; count < 7; count += 1) pace.faster();
  const tickets = await Promise.all(Array.from({ length: 8 }, () => pace.enter()));
  for (const ticket of tickets) pace.slower(ticket);
  expect(pace.limit).toBe(4);
  for (let count = 0; count < 5; count += 1) pace.faster();
  expect(pace.limit).toBe(5);
  for (const _ of tickets) pace.leave();
  for (const limit of [2, 1, 1]) {
    pace.slower(await pace.enter());
    pace.leave();
    expect(pace.limit).toBe(limit);
  }
});

test('a waiting request may start when another ends; repeats take precedence', async () => {
  const pace = new Pace(1);
  const entered: string[] = [];
  const enter = (name: string, isRepeat: boolean) => pace.enter(isRepeat).then(() => entered.push(name));
  await enter('first', false);
  const others = [enter('second', false), enter('repeat', true)];
  for (const names of [
    ['first', 'repeat'],
    ['first', 'repeat', 'second'],
  ]) {
    pace.leave();
    await Promise.race(others.splice(names.length === 2 ? 1 : 0, 1));
    expect(entered).toEqual(names);
  }
});

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
