import { afterAll, describe, expect, test } from 'vitest';
import type { Exchange } from '../../support/acts.ts';
import type { Script } from '../../support/scripted-store.ts';
import { startTestService } from '../../support/test-service.ts';
import { FAULTS, fault } from './faults.ts';
import { expectKept, type Stage, setStage } from './run-cell.ts';

const act = (name: string) => fault(name).act;
const HANG = act('hang before the write');
const LOST = act('reset after the write');
const REFUSE = act('refuse');
const THROTTLE = act('ThrottlingException of com.amazon.coral.availability');
const DENY = act('AccessDeniedException');
const ERROR = act('500 before the write');

/** Consecutive faults: a put that may have been written takes precedence, otherwise the last fault decides. */
const MIXED: { readonly name: string; readonly script: Script; readonly number: number }[] = [
  {
    name: 'a lost put, then throttled twice',
    script: { PutItem: [LOST, THROTTLE, THROTTLE] },
    number: 50401,
  },
  { name: 'a put that hung, then access denied', script: { PutItem: [HANG, DENY] }, number: 50401 },
  { name: 'throttled, then a lost put', script: { PutItem: [THROTTLE, LOST] }, number: 200 },
  {
    name: 'throttled, then 500, then throttled',
    script: { PutItem: [THROTTLE, ERROR, THROTTLE] },
    number: 50401,
  },
  {
    name: 'throttled twice, then access denied',
    script: { PutItem: [THROTTLE, THROTTLE, DENY] },
    number: 50001,
  },
  { name: 'refused, then throttled twice', script: { PutItem: [REFUSE, THROTTLE, THROTTLE] }, number: 42901 },
  { name: 'throttled twice, then refused', script: { PutItem: [THROTTLE, THROTTLE, REFUSE] }, number: 50301 },
  {
    name: 'a look-up that hung, then throttled twice',
    script: { GetItem: [HANG, THROTTLE, THROTTLE] },
    number: 42901,
  },
  {
    name: 'a look-up throttled, then 500 twice',
    script: { GetItem: [THROTTLE, ERROR, ERROR] },
    number: 50301,
  },
  { name: 'both calls slow twice', script: { GetItem: [HANG, HANG], PutItem: [HANG, HANG] }, number: 50401 },
  { name: 'both calls slow once', script: { GetItem: [HANG], PutItem: [HANG] }, number: 200 },
];

/** Faults after which it is unknown whether the plant was written. */
const OPEN = FAULTS.filter(({ kind }) => kind === 'unknown');

describe('faults of different kinds in one request', async () => {
  const service = await startTestService();
  afterAll(() => service.close());
  const play = (scene: (stage: Stage) => Promise<void>) => async () => {
    const stage = await setStage(service);
    await scene(stage);
    await stage.proxy.close();
  };

  for (const { name, script, number } of MIXED) {
    test.concurrent(
      `${name}: ${number}`,
      play(async ({ proxy, plant, send, item }) => {
        await proxy.play(script);
        const outcome = await send();
        expectKept(outcome);
        expect(outcome.number).toBe(number);
        await proxy.play({});
        expect((await send()).number).toBe(200);
        expect(await item()).toEqual(plant);
      }),
    );
  }

  for (const { name, act } of OPEN) {
    test.concurrent(
      `a taken id stays taken and its plant stays the same: ${name}`,
      play(async ({ proxy, id, send, item }) => {
        const first = `{"id":${id},"name":"Moss"}`;
        expect((await send(first)).number).toBe(200);
        await proxy.play({ PutItem: [act] });
        expect((await send()).number).toBe(40901);
        await proxy.play({ PutItem: [act, act, act] });
        expect((await send()).number).toBe(50401);
        await proxy.play({ PutItem: [act] });
        expect((await send(first)).number).toBe(200);
        await proxy.settled();
        expect(await item()).toEqual({ id, name: 'Moss' });
      }),
    );
  }

  test.concurrent(
    'a write that arrives after its answer overwrites nothing',
    play(async ({ proxy, id, send, item }) => {
      const { promise: created, resolve: create } = Promise.withResolvers<void>();
      const { promise: attempted, resolve: attempt } = Promise.withResolvers<void>();
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      const late = async ({ wait, forward }: Exchange) => {
        attempt();
        await created;
        await wait(1_300);
        await answered;
        await forward();
      };
      await proxy.play({ PutItem: [late, HANG, HANG] });
      const waiting = send();
      await attempted;
      const other = await (await setStage(service)).send(`{"id":${id},"name":"Moss"}`);
      expect(other.number).toBe(200);
      create();
      expect((await waiting).number).toBe(50401);
      answer();
      await proxy.settled();
      expect(await item()).toEqual({ id, name: 'Moss' });
      await proxy.play({});
      expect((await send()).number).toBe(40901);
    }),
  );
});
