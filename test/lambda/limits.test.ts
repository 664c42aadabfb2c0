import { expect, test } from 'vitest';
import * as limits from '../../lambda/limits.ts';

test('the timeouts are consistent, with two slow calls and all pauses included', () => {
  const oneSlowCall =
    limits.STORE_ATTEMPTS * limits.ATTEMPT_MS + (limits.STORE_ATTEMPTS - 1) * limits.MAX_PAUSE_MS;
  // Both calls share one budget, so even a slow lookup and a slow put end with it.
  const storeEnds = limits.LAMBDA_TIMEOUT_MS - limits.STORE_BUDGET_RESERVE_MS;
  const earlyResponse = limits.LAMBDA_TIMEOUT_MS - limits.EARLY_RESPONSE_RESERVE_MS;
  expect(limits.CONNECT_MS).toBeLessThan(limits.ATTEMPT_MS);
  expect(oneSlowCall).toBeLessThan(limits.STORE_BUDGET_MS);
  expect(limits.STORE_BUDGET_MS).toBeLessThanOrEqual(storeEnds);
  expect(storeEnds).toBeLessThan(earlyResponse);
  expect(earlyResponse).toBeLessThan(limits.LAMBDA_TIMEOUT_MS);
  expect(limits.LAMBDA_TIMEOUT_MS).toBeLessThan(limits.GATEWAY_TIMEOUT_MS);
});
