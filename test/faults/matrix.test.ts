import { afterAll, describe, expect, test } from 'vitest';
import { bodyOf, OTHER } from '../../contract/examples.ts';
import { someOf } from '../support/exhaustive.ts';
import { startTestService } from '../support/test-service.ts';
import { FAULTS } from './faults.ts';
import { startFixture } from './fixture.ts';

/** The expected error number for each kind of fault in each call, written by hand. */
const NUMBERS = {
  unreachable: { GetItem: 50301, PutItem: 50301 },
  throttled: { GetItem: 42901, PutItem: 42901 },
  ours: { GetItem: 50001, PutItem: 50001 },
  unknown: { GetItem: 50301, PutItem: 50401 },
};

/** How many attempts get the fault, of the three that the function makes. A fault has four cells one after the other. */
const CELLS = FAULTS.flatMap((fault) =>
  (['GetItem', 'PutItem'] as const).flatMap((operation) =>
    [2, 3].map((times) => {
      const number = times === 3 ? NUMBERS[fault.kind][operation] : 200;
      return { ...fault, operation, times, number };
    }),
  ),
);

const service = await startTestService();
afterAll(() => service.close());

describe('with every fault of the store, the response conforms to the contract, and a repeat stores the plant', () => {
  test.concurrent.each(someOf(CELLS, 'faults of the store'))(
    '$name, $operation, $times of 3 attempts: $number',
    async ({ behavior, operation, times, number }) => {
      const { proxy, plant, send, item } = await startFixture(service);
      proxy.play({ [operation]: Array(times).fill(behavior) });
      expect(await send()).toBe(number);
      expect(proxy.attempts[operation]).toBeLessThanOrEqual(3);
      if (number !== 200 && operation === 'GetItem') expect(proxy.attempts.PutItem).toBe(0);
      // Every number except 50401 means that nothing was stored.
      if (number !== 50401) expect(await item()).toEqual(number === 200 ? plant : undefined);
      proxy.play({});
      expect(await send()).toBe(200);
      await proxy.settled();
      expect(await item()).toEqual(plant);
      await proxy.close();
    },
  );
});

/** Faults after which it is unknown whether the plant was written. */
const OPEN = FAULTS.filter(({ kind }) => kind === 'unknown');

describe('a taken id stays taken and its plant stays the same', () => {
  test.concurrent.each(someOf(OPEN, 'faults with a taken id'))('$name', async ({ behavior }) => {
    const { proxy, plant, send, item } = await startFixture(service);
    const first = bodyOf(plant.id, OTHER);
    expect(await send(first)).toBe(200);
    proxy.play({ PutItem: [behavior] });
    expect(await send()).toBe(40901);
    proxy.play({ PutItem: [behavior, behavior, behavior] });
    expect(await send()).toBe(50401);
    proxy.play({ PutItem: [behavior] });
    expect(await send(first)).toBe(200);
    await proxy.settled();
    expect(await item()).toEqual({ id: plant.id, ...OTHER });
    await proxy.close();
  });
});

/** What INIT may wait for the store, in milliseconds. */
const MOST_MS = 900;

describe('whatever the store does in INIT, it ends in time, logs nothing, and the first request has all attempts', () => {
  test.concurrent.each(someOf(FAULTS, 'faults in INIT'))('$name', async ({ behavior }) => {
    const { proxy, connect, lines, send } = await startFixture(service);
    proxy.play({ GetItem: [behavior, behavior, behavior] });
    expect(await connect()).toBeLessThanOrEqual(MOST_MS);
    expect(proxy.attempts.GetItem).toBeGreaterThan(0);
    expect([proxy.attempts.PutItem, lines]).toEqual([0, []]);
    proxy.play({ GetItem: ['hang', 'hang'] });
    expect(await send()).toBe(200);
    expect(proxy.attempts).toMatchObject({ GetItem: 3, PutItem: 1 });
    expect(lines).toMatchObject([{ outcome: 'created', coldStart: true }]);
    await proxy.close();
  });
});
