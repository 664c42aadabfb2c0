import { expect, test, vi } from 'vitest';
import { duration, Speed } from '../../terminal/speed.ts';
import { Pace } from './pace.ts';

/** A pace at its maximum, with as many requests in flight. */
async function paceAt(most: number): Promise<{ pace: Pace; tickets: number[] }> {
  const pace = new Pace(most);
  for (let count = 0; count < most; count += 1) pace.responded();
  return { pace, tickets: await Promise.all(Array.from({ length: most }, () => pace.enter())) };
}

test('each response allows three more requests, up to the maximum', () => {
  const pace = new Pace(6);
  expect(pace.limit).toBe(1);
  for (const limit of [4, 6, 6]) {
    pace.responded();
    expect(pace.limit).toBe(limit);
  }
});

test('throttled requests of one round halve the limit once; then each round of responses adds one', async () => {
  const { pace, tickets } = await paceAt(8);
  for (const ticket of tickets.slice(0, 3)) pace.failed(ticket, 0, true);
  expect(pace.limit).toBe(4);
  for (let count = 0; count < 5; count += 1) pace.responded();
  expect(pace.limit).toBe(5);
  for (const _ of tickets) pace.leave();
  pace.failed(await pace.enter(), 0, false);
  expect(pace.limit).toBe(5);
});

test('after an outage, which eight failures in a row show, the first response brings the limit back', async () => {
  const { pace, tickets } = await paceAt(8);
  for (const ticket of tickets.slice(0, 7)) pace.failed(ticket, 0, false);
  expect(pace.limit).toBe(8);
  pace.failed(tickets[7] ?? 0, 0, false);
  expect(pace.limit).toBe(1);
  pace.responded();
  expect(pace.limit).toBe(8);
  pace.close();
});

test('a waiting request may start when another ends; repeats take precedence when their time has come', async () => {
  const pace = new Pace(1);
  const entered: string[] = [];
  const enter = (name: string, notBefore?: number) =>
    pace.enter(notBefore).then(() => void entered.push(name));
  const now = performance.now();
  const [, second] = [enter('first'), enter('second'), enter('too early', now + 900_000)];
  const repeat = enter('repeat', now);
  pace.leave();
  await repeat;
  expect(entered).toEqual(['first', 'repeat']);
  pace.leave();
  await second;
  expect(entered).toEqual(['first', 'repeat', 'second']);
  pace.close();
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
