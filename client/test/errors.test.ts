import { describe, expect, expectTypeOf, test } from 'vitest';
import { ERRORS, type ErrorName, type PublishedError } from '../../lambda/errors.ts';
import { type PublishedErrorNumber, retryAfterOf } from '../src/errors.ts';

describe("the client's errors agree with the service's", () => {
  test('they have the same numbers', () => {
    // Checked by the compiler.
    expectTypeOf<PublishedErrorNumber>().toEqualTypeOf<(typeof ERRORS)[ErrorName]['error']>();
  });

  test.each(Object.values<PublishedError>(ERRORS))(
    '$error has the same time before a retry, or none',
    ({ error, retryAfter }) => {
      expect(retryAfterOf(error)).toBe(retryAfter);
    },
  );
});
