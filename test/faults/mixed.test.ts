import { afterAll, describe, expect, test } from 'vitest';
import { bodyOf, OTHER, WHOLE } from '../../contract/examples.ts';
import { someOf } from '../support/exhaustive.ts';
import type { Script } from '../support/scripted-store.ts';
import type { Exchange } from '../support/store-behaviors.ts';
import { startTestService } from '../support/test-service.ts';
import { FAULTS, fault } from './faults.ts';
import { type Fixture, startFixture } from './run-cell.ts';

const behavior = (name: string) => fault(name).behavior;
const HANG = behavior('hang before the write');
const LOST = behavior('reset after the write');
const THROTTLE = behavior('ThrottlingException of com.amazon.coral.availability');
const DENY = behavior('AccessDeniedException');
const UNKNOWN_CLIENT = behavior('UnrecognizedClientException');
const TIMEOUT = behavior('RequestTimeoutException with status 400');

/** Consecutive faults: a put that may have been written takes precedence, otherwise the last fault decides. */
const MIXED: [name: string, script: Script, number: number][] = [
  ['a lost put, then throttled twice', { PutItem: [LOST, THROTTLE, THROTTLE] }, 50401],
  ['throttled twice, then access denied', { PutItem: [THROTTLE, THROTTLE, DENY] }, 50001],
  ['access denied twice, then a put that hung', { PutItem: [DENY, DENY, HANG] }, 50401],
  ['credentials refused in both calls', { GetItem: [UNKNOWN_CLIENT], PutItem: [UNKNOWN_CLIENT] }, 200],
  ['a timeout of the store, then denied twice', { PutItem: [TIMEOUT, DENY, DENY] }, 50401],
  ['a timeout of the store in the lookup, then denied twice', { GetItem: [TIMEOUT, DENY, DENY] }, 50001],
  ['both calls slow twice', { GetItem: [HANG, HANG], PutItem: [HANG, HANG] }, 50401],
  ['both calls slow once', { GetItem: [HANG], PutItem: [HANG] }, 200],
];

/** Faults after which it is unknown whether the plant was written. */
const OPEN = FAULTS.filter(({ kind }) => kind === 'unknown');

const service = await startTestService();
afterAll(() => service.close());
const scenario = (name: string, run: (fixture: Fixture) => Promise<void>) =>
  test.concurrent(name, async () => {
    const fixture = await startFixture(service);
    await run(fixture);
    await fixture.proxy.close();
  });

describe('faults of different kinds in one request', () => {
  for (const [name, script, number] of MIXED)
    scenario(`${name}: ${number}`, async ({ proxy, plant, send, item }) => {
      proxy.play(script);
      expect(await send()).toBe(number);
      proxy.play({});
      expect(await send()).toBe(200);
      expect(await item()).toEqual(plant);
    });

  for (const { name, behavior } of someOf(OPEN, 'faults with a taken id'))
    scenario(`a taken id stays taken and its plant stays the same: ${name}`, async (fixture) => {
      const { proxy, plant, send, item } = fixture;
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
    });

  scenario(
    'a write that arrives after its response overwrites nothing',
    async ({ proxy, plant, send, item }) => {
      const { promise: created, resolve: create } = Promise.withResolvers<void>();
      const { promise: attempted, resolve: attempt } = Promise.withResolvers<void>();
      const { promise: responded, resolve: respond } = Promise.withResolvers<void>();
      const late = async ({ wait, forward }: Exchange) => {
        attempt();
        await created;
        await wait(1_300);
        await responded;
        await forward();
      };
      proxy.play({ PutItem: [late, HANG, HANG] });
      const waiting = send();
      await attempted;
      const other = await startFixture(service);
      expect(await other.send(bodyOf(plant.id, OTHER))).toBe(200);
      create();
      expect(await waiting).toBe(50401);
      respond();
      await proxy.settled();
      expect(await item()).toEqual({ id: plant.id, ...OTHER });
      proxy.play({});
      expect(await send()).toBe(40901);
    },
  );
});

/** What INIT may wait for the store, in milliseconds. */
const MOST_MS = 900;

describe('whatever the store does in INIT, it ends in time, logs nothing, and the first request has all attempts', () => {
  for (const { name, behavior } of someOf(FAULTS, 'faults in INIT'))
    scenario(name, async ({ proxy, connect, lines, send }) => {
      proxy.play({ GetItem: [behavior, behavior, behavior] });
      expect(await connect()).toBeLessThanOrEqual(MOST_MS);
      expect(proxy.attempts.GetItem).toBeGreaterThan(0);
      expect([proxy.attempts.PutItem, proxy.overdue, lines]).toEqual([0, 0, []]);
      proxy.play({ GetItem: [HANG, HANG] });
      expect(await send()).toBe(200);
      expect(proxy.attempts).toEqual({ GetItem: 3, PutItem: 1 });
      expect(lines).toMatchObject([{ outcome: 'created', coldStart: true }]);
    });
});

/** Lambda freezes a process between requests: it uses a connection before it learns that the store has closed it. */
describe('a connection that the store closed while the function was frozen', () => {
  // Opens the connection, and the token is known from then on.
  const MOSS = bodyOf(1, WHOLE);

  scenario('the next request succeeds', async ({ proxy, plant, send, item }) => {
    expect(await send(MOSS)).toBe(200);
    proxy.closeConnections();
    expect(await send()).toBe(200);
    expect(await item()).toEqual(plant);
  });

  scenario('and each new one is reset: the plant may be stored', async ({ proxy, plant, send, item }) => {
    expect(await send(MOSS)).toBe(200);
    proxy.play({ PutItem: ['reset on connect', 'reset on connect', 'reset on connect'] });
    proxy.closeConnections();
    // The attempt on the old connection may have been written; the others never had one.
    expect(await send()).toBe(50401);
    expect(proxy.attempts.PutItem).toBe(2);
    expect(await item()).toBeUndefined();
    proxy.play({});
    expect(await send()).toBe(200);
    expect(await item()).toEqual(plant);
  });
});
