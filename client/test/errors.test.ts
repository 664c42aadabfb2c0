import { describe, expect, expectTypeOf, test } from 'vitest';
import { ERRORS, type ErrorName, type PublishedError } from '../../lambda/errors.ts';
import { PlantStoreError, type PublishedErrorNumber, retryAfterOf } from '../src/errors.ts';

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

test('an error is an instance of its class, not of a class that extends it', () => {
  class Other extends PlantStoreError {}
  const details = { error: 40901, message: 'Taken.' };
  const isInstance = (error: unknown) => [error instanceof PlantStoreError, error instanceof Other];
  expect(isInstance(new PlantStoreError(details, false))).toEqual([true, false]);
  expect(isInstance(new Other(details, false))).toEqual([true, true]);
  expect(isInstance(new Error('Taken.'))).toEqual([false, false]);
});
