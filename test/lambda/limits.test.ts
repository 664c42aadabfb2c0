import { expect, test } from 'vitest';
import * as limits from '../../lambda/limits.ts';

test('the time-outs are consistent, with two slow calls and all pauses included', () => {
  const {
    ATTEMPT_MS,
    CONNECT_MS,
    EARLY_ANSWER_RESERVE_MS,
    GATEWAY_TIMEOUT_MS,
    LAMBDA_TIMEOUT_MS,
    MAX_BACKOFF_MS,
    STORE_ATTEMPTS,
    STORE_BUDGET_MS,
    STORE_BUDGET_RESERVE_MS,
  } = limits;
  const oneSlowCall = STORE_ATTEMPTS * ATTEMPT_MS + (STORE_ATTEMPTS - 1) * MAX_BACKOFF_MS;
  const earlyAnswer = LAMBDA_TIMEOUT_MS - EARLY_ANSWER_RESERVE_MS;
  expect(CONNECT_MS).toBeLessThan(ATTEMPT_MS);
  expect(oneSlowCall).toBeLessThan(STORE_BUDGET_MS);
  // Both calls share one budget, so a slow look-up and a slow put together end with it.
  expect(STORE_BUDGET_MS).toBeLessThanOrEqual(LAMBDA_TIMEOUT_MS - STORE_BUDGET_RESERVE_MS);
  expect(STORE_BUDGET_RESERVE_MS).toBeGreaterThan(EARLY_ANSWER_RESERVE_MS);
  expect(STORE_BUDGET_MS).toBeLessThan(earlyAnswer);
  expect(earlyAnswer).toBeLessThan(LAMBDA_TIMEOUT_MS);
  expect(LAMBDA_TIMEOUT_MS).toBeLessThan(GATEWAY_TIMEOUT_MS);
});

test('the published limits have the documented values', () => {
  expect(limits).toMatchObject({
    MAX_BODY_BYTES: 1_048_576,
    MAX_ITEM_BYTES: 409_600,
    MAX_ID_CHARACTERS: 128,
    TOKEN_CACHE_MS: 60_000,
    TOKEN_CACHE_SIZE: 1_000,
  });
});

test('the time-outs have the values of the decision on time', () => {
  expect(limits).toMatchObject({
    STORE_ATTEMPTS: 3,
    CONNECT_MS: 500,
    ATTEMPT_MS: 900,
    MAX_BACKOFF_MS: 200,
    STORE_BUDGET_MS: 3_500,
    STORE_BUDGET_RESERVE_MS: 1_500,
    EARLY_ANSWER_RESERVE_MS: 500,
    LAMBDA_TIMEOUT_MS: 6_000,
    GATEWAY_TIMEOUT_MS: 29_000,
  });
});
