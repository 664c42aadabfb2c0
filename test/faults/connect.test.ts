import { afterAll, describe, expect, test } from 'vitest';
import { startTestService } from '../support/test-service.ts';
import { FAULTS } from './faults.ts';
import { startFixture } from './run-cell.ts';

/** What INIT may wait for the store, in milliseconds. */
const MOST_MS = 900;

describe('whatever the store does in INIT', async () => {
  const service = await startTestService();
  afterAll(() => service.close());

  test.concurrent.each(FAULTS)(
    '$name: INIT ends in time and logs nothing, and the first request succeeds',
    async ({ behavior }) => {
      const { proxy, plant, connect, lines, send, item } = await startFixture(service);
      proxy.play({ GetItem: [behavior, behavior, behavior] });
      expect(await connect()).toBeLessThanOrEqual(MOST_MS);
      expect(proxy.attempts.GetItem).toBeGreaterThan(0);
      expect(proxy.attempts.PutItem).toBe(0);
      expect(proxy.overdue).toBe(0);
      expect(lines).toEqual([]);
      proxy.play({});
      expect(await send()).toBe(200);
      await proxy.settled();
      expect(await item()).toEqual(plant);
      expect(lines).toMatchObject([{ outcome: 'created', coldStart: true }]);
      await proxy.close();
    },
  );

  test('after a hang in INIT, the first request has all of its attempts', async () => {
    const { proxy, connect, send } = await startFixture(service);
    proxy.play({ GetItem: ['hang'] });
    await connect();
    proxy.play({ GetItem: ['hang', 'hang'] });
    expect(await send()).toBe(200);
    expect(proxy.attempts).toEqual({ GetItem: 3, PutItem: 1 });
    await proxy.close();
  });
});
