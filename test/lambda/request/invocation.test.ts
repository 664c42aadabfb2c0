import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startInvocation } from '../../../lambda/request/invocation.ts';

// ../store/store.test.ts tests what happens at the deadline.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

// No gateway sends these, and one cannot be converted to a string.
const IDS = ['', 7, Object.create(null)].map((id) => ({ requestId: id, extendedRequestId: id }));
test.each([undefined, null, 'text', ...IDS])(
  'without a valid request id, Lambda’s is used: %j',
  (requestContext) => {
    const ids = { requestId: 'lambda-1', extendedRequestId: undefined };
    expect(startInvocation({ requestContext }, { awsRequestId: 'lambda-1' })).toMatchObject(ids);
  },
);

describe('the time that a request has for the store', () => {
  const startDeadline = (getRemainingTimeInMillis?: () => number) =>
    startInvocation({}, { ...(getRemainingTimeInMillis && { getRemainingTimeInMillis }) }).calls.signal;

  test.each([
    ['3.5 s if Lambda’s remaining time is unknown', undefined, 3_500],
    ['3.5 s if there is enough time', () => 6_000, 3_500],
    ['the remaining time minus 1.5 s if that is less', () => 3_000, 1_500],
    ['one millisecond', () => 1_501, 1],
  ])('is %s', (_, remaining, budget) => {
    const signal = startDeadline(remaining);
    vi.advanceTimersByTime(budget - 1);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  test('is none if 1,500 ms are left', () => {
    expect(startDeadline(() => 1_500).aborted).toBe(true);
  });
});
