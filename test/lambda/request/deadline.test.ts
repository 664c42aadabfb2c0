import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startDeadline } from '../../../lambda/request/deadline.ts';

// ../store/store.test.ts tests what happens at the deadline.

describe('the time that a request has for the store', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ['3.5 s if Lambda’s remaining time is unknown', {}, 3_500],
    ['3.5 s if there is enough time', { getRemainingTimeInMillis: () => 6_000 }, 3_500],
    ['the remaining time minus 1.5 s if that is less', { getRemainingTimeInMillis: () => 3_000 }, 1_500],
    ['one millisecond', { getRemainingTimeInMillis: () => 1_501 }, 1],
  ])('is %s', (_, context, budget) => {
    const { signal } = startDeadline(context);
    vi.advanceTimersByTime(budget - 1);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  test.each([1_500, 0, -10])('is none if %i ms are left', (remaining) => {
    expect(startDeadline({ getRemainingTimeInMillis: () => remaining }).signal.aborted).toBe(true);
  });
});
