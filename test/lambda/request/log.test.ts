import { describe, expect, test } from 'vitest';
import { type ErrorName, Failure } from '../../../lambda/errors.ts';
import { failureFields } from '../../../lambda/request/log.ts';

// ../middleware.test.ts tests the whole line.

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
