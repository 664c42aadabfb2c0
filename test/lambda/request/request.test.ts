import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ErrorName, Failure } from '../../../lambda/answer/errors.ts';
import { beginRequest, failureFields } from '../../../lambda/request/request.ts';

// Request ids and the whole log line are tested in create-plant.test.ts, the deadline in store/store.test.ts.

describe('the clock of a request', () => {
  test('it returns the milliseconds since the start, and aborts nothing before', async () => {
    const { signal, end } = beginRequest({}, {});
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(end()).toBeGreaterThanOrEqual(29);
    expect(signal.aborted).toBe(false);
  });

  test('the store’s time ends 1.5 s before the function’s', async () => {
    const begun = (remaining: number) => beginRequest({}, { getRemainingTimeInMillis: () => remaining });
    expect(begun(1_500).signal.aborted).toBe(true);
    const { signal, end } = begun(1_520);
    expect(signal.aborted).toBe(false);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(end()).toBeGreaterThanOrEqual(19);
  });
});

describe('the log fields of a failure', () => {
  test.each<[ErrorName, ConstructorParameters<typeof Failure>[1], object]>([
    ['NO_TOKEN', {}, { outcome: 'refused', error: 40101 }],
    [
      'TOO_MANY_REQUESTS',
      { fault: 'ThrottlingException' },
      { outcome: 'refused', error: 42901, fault: 'ThrottlingException' },
    ],
    ['UNAVAILABLE', { fault: 'deadline' }, { outcome: 'failed', error: 50301, fault: 'deadline' }],
    ['SERVICE_FAULT', {}, { outcome: 'failed', error: 50001 }],
    // A cause that is not an Error has no stack.
    ['SERVICE_FAULT', { fault: 'string', cause: 'x' }, { outcome: 'failed', error: 50001, fault: 'string' }],
  ])('%s %j', (name, options, fields) => {
    expect(failureFields(new Failure(name, options))).toEqual(fields);
  });

  test('for a bug, at most three stack frames and not the message', () => {
    const bug = new Error('secret');
    bug.stack = `Error: secret    at home\n${'    at f (file.ts:1:2)\n'.repeat(5)}`;
    const { at } = failureFields(new Failure('SERVICE_FAULT', { cause: bug }));
    expect(at).toBe('at f (file.ts:1:2) at f (file.ts:1:2) at f (file.ts:1:2)');
  });
});

describe('the time of a request', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ['3.5 s if Lambda’s remaining time is unknown', undefined, 3_500],
    ['3.5 s if there is enough time', 6_000, 3_500],
    ['the remaining time minus 1.5 s if that is less', 3_000, 1_500],
    ['one millisecond', 1_501, 1],
  ])('the store has %s', (_, remaining, budget) => {
    const context = remaining === undefined ? {} : { getRemainingTimeInMillis: () => remaining };
    const { signal } = beginRequest({}, context);
    vi.advanceTimersByTime(budget - 1);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  test.each([1_500, 0, -10])('the store has none with %i ms left', (remaining) => {
    expect(beginRequest({}, { getRemainingTimeInMillis: () => remaining }).signal.aborted).toBe(true);
  });

  test('the end stops the clock and its timer once; the time is in whole milliseconds', () => {
    vi.advanceTimersByTime(5_000);
    const { signal, end } = beginRequest({}, {});
    vi.advanceTimersByTime(1_234.9);
    expect(end()).toBe(1_234);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(5_000);
    expect(signal.aborted).toBe(false);
  });

  test('the clock does not drift', () => {
    const { end } = beginRequest({}, {});
    vi.advanceTimersByTime(4_000_000);
    expect(end()).toBe(4_000_000);
  });
});

describe('reading the event', () => {
  test.each([undefined, null, 'text', 7])('%j is not an HTTP request', (event) => {
    expect(beginRequest(event, {})).toMatchObject({ http: {}, requestId: 'unknown' });
  });

  test('an event is used unchanged', () => {
    const event = { httpMethod: 'POST', requestContext: { requestId: 'gateway-1' } };
    const { http, requestId } = beginRequest(event, { awsRequestId: 'lambda-1' });
    expect(http).toBe(event);
    expect(requestId).toBe('gateway-1');
  });

  test.each([
    {},
    { requestContext: null },
    { requestContext: { requestId: '' } },
    { requestContext: { requestId: 7 } },
  ])('without an id of the gateway’s it has Lambda’s: %j', (event) => {
    expect(beginRequest(event, { awsRequestId: 'lambda-1' }).requestId).toBe('lambda-1');
  });
});
