import { afterAll, expect, test } from 'vitest';
import type { Script } from '../support/scripted-store.ts';
import { type Behavior, exception, pass } from '../support/store-behaviors.ts';
import { startTestService } from '../support/test-service.ts';
import { startFixture } from './fixture.ts';

const LOST: Behavior = async ({ forward, reset }) => {
  await forward();
  reset();
};
const SLOW: Behavior = async (exchange) => {
  await exchange.wait(850);
  await pass(exchange);
};
const THROTTLE = exception('ThrottlingException');
const DENY = exception('AccessDeniedException');
const UNKNOWN_CLIENT = exception('UnrecognizedClientException');
const TIMEOUT = exception('RequestTimeoutException');

const service = await startTestService();
afterAll(() => service.close());

/** Consecutive faults: a put that may have been written takes precedence, otherwise the last fault decides. */
test.concurrent.each<[name: string, script: Script, number: number]>([
  ['a lost put, then throttled twice', { PutItem: [LOST, THROTTLE, THROTTLE] }, 50401],
  ['throttled twice, then access denied', { PutItem: [THROTTLE, THROTTLE, DENY] }, 50001],
  ['access denied twice, then a put that hung', { PutItem: [DENY, DENY, 'hang'] }, 50401],
  ['credentials refused in both calls', { GetItem: [UNKNOWN_CLIENT], PutItem: [UNKNOWN_CLIENT] }, 200],
  ['a timeout of the store, then denied twice', { PutItem: [TIMEOUT, DENY, DENY] }, 50401],
  ['a timeout of the store in the lookup, then denied twice', { GetItem: [TIMEOUT, DENY, DENY] }, 50001],
  ['both calls hang twice', { GetItem: ['hang', 'hang'], PutItem: ['hang', 'hang'] }, 50401],
  ['both calls hang once', { GetItem: ['hang'], PutItem: ['hang'] }, 200],
  ['both calls slow, but in time', { GetItem: [SLOW, SLOW, SLOW], PutItem: [SLOW, SLOW, SLOW] }, 200],
])('%s', async (_, script, number) => {
  const { proxy, plant, send, item } = await startFixture(service);
  proxy.play(script);
  expect(await send()).toBe(number);
  proxy.play({});
  expect(await send()).toBe(200);
  expect(await item()).toEqual(plant);
  await proxy.close();
});
