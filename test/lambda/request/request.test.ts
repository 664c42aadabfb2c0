import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ErrorName, Failure } from '../../../lambda/errors.ts';
import { beginRequest, failureFields, sampledTrace } from '../../../lambda/request/request.ts';

// create-plant.test.ts tests the whole log line; store/store.test.ts tests what happens at the deadline.

describe('the time of a request', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ['3.5 s if Lambda’s remaining time is unknown', {}, 3_500],
    ['3.5 s if there is enough time', { getRemainingTimeInMillis: () => 6_000 }, 3_500],
    ['the remaining time minus 1.5 s if that is less', { getRemainingTimeInMillis: () => 3_000 }, 1_500],
    ['one millisecond', { getRemainingTimeInMillis: () => 1_501 }, 1],
  ])('the store has %s', (_, context, budget) => {
    const { signal } = beginRequest({}, context);
    vi.advanceTimersByTime(budget - 1);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  test.each([1_500, 0, -10])('the store has no time if %i ms are left', (remaining) => {
    expect(beginRequest({}, { getRemainingTimeInMillis: () => remaining }).signal.aborted).toBe(true);
  });

  test.each([1_234, 4_000_000])('end() returns the duration in whole milliseconds: %i', (ms) => {
    vi.advanceTimersByTime(5_000);
    const { end } = beginRequest({}, {});
    vi.advanceTimersByTime(ms + 0.9);
    expect(end()).toBe(ms);
  });

  test('end() stops the timer', () => {
    const { signal, end } = beginRequest({}, {});
    end();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(5_000);
    expect(signal.aborted).toBe(false);
  });
});

describe('the log fields of a failure', () => {
  test.each<[ErrorName, ConstructorParameters<typeof Failure>[1], object]>([
    ['NO_TOKEN', {}, { outcome: 'refused', error: 40101 }],
    ['TOO_MANY_REQUESTS', { fault: 'Throttling' }, { outcome: 'refused', error: 42901, fault: 'Throttling' }],
    ['UNAVAILABLE', { fault: 'deadline' }, { outcome: 'failed', error: 50301, fault: 'deadline' }],
    // A cause that is not an Error has no stack.
    ['SERVICE_FAULT', { fault: 'string', cause: 'x' }, { outcome: 'failed', error: 50001, fault: 'string' }],
  ])('%s %j', (name, options, fields) => {
    expect(failureFields(new Failure(name, options))).toEqual(fields);
  });

  test('a bug has at most three stack frames and not the message', () => {
    const bug = new Error('secret');
    bug.stack = `Error: secret    at home\n${'    at f (file.ts:1:2)\n'.repeat(5)}`;
    const { at } = failureFields(new Failure('SERVICE_FAULT', { cause: bug }));
    expect(at).toBe('at f (file.ts:1:2) at f (file.ts:1:2) at f (file.ts:1:2)');
  });
});

describe('the event of a request', () => {
  test.each([undefined, null, 'text', 7])('%j is not an HTTP request', (event) => {
    expect(beginRequest(event, {})).toMatchObject({ http: {}, requestId: 'unknown' });
  });

  test('is used unchanged', () => {
    const event = { httpMethod: 'POST', requestContext: { requestId: 'gateway-1' } };
    const { http, requestId } = beginRequest(event, { awsRequestId: 'lambda-1' });
    expect(http).toBe(event);
    expect(requestId).toBe('gateway-1');
  });

  // No gateway sends these ids, some of which cannot be converted to a string.
  test.each([undefined, '', 7, [], Object.create(null)])(
    'without a valid request id, Lambda’s is used: %j',
    (requestId) => {
      const event = { requestContext: { requestId } };
      expect(beginRequest(event, { awsRequestId: 'lambda-1' }).requestId).toBe('lambda-1');
    },
  );

  test.each([
    ['of a gateway', 'JKJaXmPLvHcESHA=', 'JKJaXmPLvHcESHA='],
    ['that is absent', undefined, undefined],
    ['that is empty', '', undefined],
    ['that is no text', Object.create(null), undefined],
  ])('an extended request id %s', (_, extendedRequestId, read) => {
    const event = { requestContext: { requestId: 'gateway-1', extendedRequestId } };
    expect(beginRequest(event, { awsRequestId: 'lambda-1' }).extendedRequestId).toBe(read);
  });
});

describe('the trace in the log', () => {
  const ROOT = '1-5759e988-bd862e3fe1be46a994272793';
  test.each([
    ['a sampled request', `Root=${ROOT};Parent=53995c3f42cd8ad8;Sampled=1`, ROOT],
    ['a sampled request with Lambda’s lineage', `Root=${ROOT};Parent=5;Sampled=1;Lineage=1:2:3`, ROOT],
    ['a request that was not sampled', `Root=${ROOT};Parent=53995c3f42cd8ad8;Sampled=0`, undefined],
    ['a request without a decision', `Root=${ROOT}`, undefined],
    ['an unknown decision', `Root=${ROOT};Sampled=10`, undefined],
    ['no header', undefined, undefined],
    ['a root that is not an id', 'Root=plants_0;Sampled=1', undefined],
    ['a root that goes on', `Root=${ROOT}0;Sampled=1`, undefined],
    ['another field with such a name', `OldRoot=${ROOT};Sampled=1`, undefined],
  ])('of %s', (_, header, trace) => {
    expect(sampledTrace(header)).toBe(trace);
  });
});
