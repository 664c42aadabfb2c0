import { expect, test } from 'vitest';
import { ERRORS, type PublishedError } from '../../lambda/errors.ts';

/** Every published number with its Retry-After and its challenge. A published number is never reused. */
const PUBLISHED: [number, retryAfter?: number, challenge?: string][] = [
  [40000],
  [40001],
  [40002],
  [40101, undefined, 'Bearer realm="plant-store"'],
  [40102, undefined, 'Bearer realm="plant-store", error="invalid_token"'],
  [40301],
  [40401],
  [40901],
  [41301],
  [41501],
  [42901, 1],
  [50001],
  [50301, 2],
  [50401, 2],
];

test('exactly these numbers and headers are published', () => {
  const errors: PublishedError[] = Object.values(ERRORS);
  expect(errors.map(({ error, retryAfter, challenge }) => [error, retryAfter, challenge])).toEqual(
    PUBLISHED.map(([error, retryAfter, challenge]) => [error, retryAfter, challenge]),
  );
});
