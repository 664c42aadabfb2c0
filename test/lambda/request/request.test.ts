import { describe, expect, test } from 'vitest';
import { Failure } from '../../../lambda/answer/errors.ts';
import { beginRequest, failureFields } from '../../../lambda/request/request.ts';

// Request ids and the whole log line are tested in create-plant.test.ts, the deadline in store/store.test.ts.

describe('the clock of a request', () => {
  test('it ends with the milliseconds since the start, and aborts nothing by then', async () => {
    const { signal, end } = beginRequest({}, {});
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(end()).toBeGreaterThanOrEqual(29);
    expect(signal.aborted).toBe(false);
  });

  test('the store’s time is over 1.5 s before the function’s', async () => {
    const begun = (remaining: number) => beginRequest({}, { getRemainingTimeInMillis: () => remaining });
    expect(begun(1_500).signal.aborted).toBe(true);
    const { signal, end } = begun(1_520);
    expect(signal.aborted).toBe(false);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(end()).toBeGreaterThanOrEqual(19);
  });
});

describe('what the log says of a failure', () => {
  test.each([
    [new Failure('NO_TOKEN'), { outcome: 'refused', error: 40101 }],
    [
      new Failure('TOO_MANY_REQUESTS', { fault: 'ThrottlingException' }),
      { outcome: 'refused', error: 42901, fault: 'ThrottlingException' },
    ],
    [
      new Failure('UNAVAILABLE', { fault: 'deadline' }),
      { outcome: 'failed', error: 50301, fault: 'deadline' },
    ],
    [new Failure('SERVICE_FAULT'), { outcome: 'failed', error: 50001 }],
    // A cause that is no Error has no stack to show.
    [
      new Failure('SERVICE_FAULT', { fault: 'string', cause: 'x' }),
      { outcome: 'failed', error: 50001, fault: 'string' },
    ],
  ])('%#', (failure, fields) => {
    expect(failureFields(failure)).toEqual(fields);
  });

  test('a bug shows at most three frames of its stack, and not its message', () => {
    const bug = new Error('secret');
    bug.stack = `Error: secret\n${'    at f (file.ts:1:2)\n'.repeat(5)}`;
    const { at } = failureFields(new Failure('SERVICE_FAULT', { cause: bug }));
    expect(at).toBe('at f (file.ts:1:2) at f (file.ts:1:2) at f (file.ts:1:2)');
  });
});
