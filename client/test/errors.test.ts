import { expect, expectTypeOf, test } from 'vitest';
import type { ErrorName, PublishedError } from '../../lambda/errors.ts';
import { ERRORS } from '../../lambda/published-errors.ts';
import { retryAfterOf } from '../src/errors.ts';
import type { PublishedErrorNumber } from '../src/published-errors.ts';

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
