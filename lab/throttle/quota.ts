import { isThrottlingError } from '@smithy/core/retry';
import type { RetryStrategyV2, RetryToken } from '@smithy/types';
import { MAX_THROTTLE_PAUSE_MS, STORE_ATTEMPTS } from '../../lambda/limits.ts';

/**
 * A strategy for the SDK: the function's attempts and pauses, but each process has a number of retries, of which each takes one and each
 * success gives one back. The SDK's own quota, of 100, is not used up by processes that serve one request at a time.
 */
export function quota(most: number): RetryStrategyV2 {
  let left = most;
  const tokenOf = (count: number, delay: number): RetryToken => ({
    getRetryCount: () => count,
    getRetryDelay: () => delay,
  });
  return {
    acquireInitialRetryToken: async () => tokenOf(0, 0),
    async refreshRetryTokenForRetry(token, { error }) {
      const count = token.getRetryCount() + 1;
      if (count >= STORE_ATTEMPTS || left === 0 || !error || !isThrottlingError(error)) throw error;
      left -= 1;
      return tokenOf(count, (Math.random() * MAX_THROTTLE_PAUSE_MS * count) / (STORE_ATTEMPTS - 1));
    },
    recordSuccess() {
      left = Math.min(most, left + 1);
    },
  };
}
