import { expect, expectTypeOf, test } from 'vitest';
import { ERRORS, type ErrorName, type PublishedError } from '../../lambda/errors.ts';
import { type PublishedErrorNumber, retryAfterOf } from '../src/errors.ts';

test("the client's errors have the service's numbers", () => {
  // Checked by the compiler.
  expectTypeOf<PublishedErrorNumber>().toEqualTypeOf<(typeof ERRORS)[ErrorName]['error']>();
});

test.each(Object.values<PublishedError>(ERRORS))(
  '$error has the same time before a retry as in the service, or none',
  ({ error, retryAfter }) => {
    expect(retryAfterOf(error)).toBe(retryAfter);
  },
);
