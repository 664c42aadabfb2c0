import { expect, test } from 'vitest';
import * as limits from '../../lambda/limits.ts';

test('the time-outs are in order, with two slow calls in a row and every pause counted', () => {
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
  // The budget is one for both calls, so a slow look-up and a slow put together end with it, not at twice one call.
  expect(STORE_BUDGET_MS).toBeLessThanOrEqual(LAMBDA_TIMEOUT_MS - STORE_BUDGET_RESERVE_MS);
  expect(STORE_BUDGET_RESERVE_MS).toBeGreaterThan(EARLY_ANSWER_RESERVE_MS);
  expect(STORE_BUDGET_MS).toBeLessThan(earlyAnswer);
  expect(earlyAnswer).toBeLessThan(LAMBDA_TIMEOUT_MS);
  expect(LAMBDA_TIMEOUT_MS).toBeLessThan(GATEWAY_TIMEOUT_MS);
});
