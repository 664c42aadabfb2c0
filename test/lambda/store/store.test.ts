import { syncBuiltinESMExports } from 'node:module';
import timers, { setTimeout as pause } from 'node:timers/promises';
import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyOf } from '../../../contract/examples.ts';
import { ConnectionError } from '../../../lambda/store/buffering-http-handler.ts';
import { callStore, documentClient } from '../../../lambda/store/store.ts';
import { formatToken } from '../../../lambda/tokens/token-format.ts';
import { overScript, startOperation, startSource } from '../../support/function-under-test.ts';
import type { Script } from '../../support/scripted-store.ts';
import { exception, KNOWN_TOKEN, ok } from '../../support/store-behaviors.ts';
import { plantEvent } from '../../support/test-service.ts';

const TOKEN = formatToken(new Uint8Array(32).fill(1));
const FERN = bodyOf(1);
const THROTTLED = exception('ThrottlingException');

// The scripted store advances the clock, so that no result depends on the machine's speed.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  // No pauses between attempts.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Sends one request, which may take `remaining` milliseconds, to the function over a scripted store. @returns its line of the log */
const postTo = (script: Script, remaining: number) =>
  overScript(
    script,
    async (client, { attempts }) => {
      const { handler, lines } = startSource(client);
      await handler(plantEvent(TOKEN, FERN), { getRemainingTimeInMillis: () => remaining });
      return { ...lines[0], ...attempts };
    },
    vi.advanceTimersByTimeAsync,
  );

// test/faults tries each fault of the store in each attempt of each call.
test('missing credentials, or a bug before anything is sent, leads to 50001', async () => {
  const attempts = vi.fn(() => Promise.reject(new TypeError('no credentials')));
  const call = callStore('write', attempts, new AbortController());
  await expect(call).rejects.toMatchObject({ published: { error: 50001 }, fault: 'TypeError' });
});

// Before, a retry that succeeded left no trace but its duration.
describe('the line of the log has the attempts and why the latest was repeated, only if a call needed more than one', () => {
  test.each<[string, Script, line: object]>([
    ['each call worked at once', {}, { outcome: 'created' }],
    [
      'the put hung once',
      { PutItem: ['hang', ok({})] },
      { outcome: 'created', attempts: 2, fault: 'timeout' },
    ],
    [
      'the lookup was throttled twice',
      { GetItem: [THROTTLED, THROTTLED, KNOWN_TOKEN] },
      { outcome: 'created', attempts: 3, fault: 'ThrottlingException' },
    ],
    [
      'both calls were repeated',
      { GetItem: [THROTTLED, THROTTLED, KNOWN_TOKEN], PutItem: ['hang', ok({})] },
      { outcome: 'created', attempts: 3, fault: 'timeout' },
    ],
    [
      'the lookup was repeated, and found no token',
      { GetItem: ['hang', ok({})] },
      { outcome: 'refused', attempts: 2, fault: 'unknown token' },
    ],
    ['all attempts hung', { PutItem: ['hang'] }, { outcome: 'failed', attempts: 3, fault: 'timeout' }],
  ])('%s', async (_, script, line) => {
    const { outcome, attempts, fault } = await postTo(script, 6_000);
    expect({ outcome, attempts, fault }).toEqual(line);
  });
});

const HOT = 'TableWriteKeyRangeThroughputExceeded';
const FULL = 'IndexWriteMaxOnDemandThroughputExceeded';
const resource = 'arn:aws:dynamodb:eu-west-1:123456789012:table/Plants';
const HOT_REASON = { reason: HOT, resource };
const refusedOnce = (name: string, more: object): Script => ({
  PutItem: [exception(name, 400, more), ok({})],
});

test.each<[string, Script, logged: string | undefined]>([
  [
    'one limit',
    refusedOnce('ProvisionedThroughputExceededException', { ThrottlingReasons: [HOT_REASON] }),
    HOT,
  ],
  ['another name of the list', refusedOnce('ThrottlingException', { throttlingReasons: [HOT_REASON] }), HOT],
  [
    'two limits',
    refusedOnce('RequestLimitExceeded', { ThrottlingReasons: [HOT_REASON, { reason: FULL, resource }] }),
    `${HOT} ${FULL}`,
  ],
  ['none', refusedOnce('ThrottlingException', {}), undefined],
  ['no list', refusedOnce('RequestLimitExceeded', { ThrottlingReasons: HOT }), undefined],
  [
    'no names',
    refusedOnce('RequestLimitExceeded', { ThrottlingReasons: [null, {}, { reason: 7 }] }),
    undefined,
  ],
  [
    'one limit, and later another fault',
    { PutItem: [exception('ThrottlingException', 400, { throttlingReasons: [HOT_REASON] }), 'hang', ok({})] },
    undefined,
  ],
  [
    'one limit at the lookup of an unknown token',
    { GetItem: [exception('ThrottlingException', 400, { throttlingReasons: [HOT_REASON] }), ok({})] },
    undefined,
  ],
])('the line has the limits that throttled, by name and without an ARN: %s', async (_, script, logged) => {
  const line = await postTo(script, 6_000);
  expect(line.throttlingReason).toBe(logged);
  expect(JSON.stringify(line)).not.toContain('arn:');
});

describe('a request ends in time', () => {
  const throttle = new ThrottlingException({ message: 'Slow down', $metadata: { httpStatusCode: 400 } });
  test.each<[string, Error, pauses: number[], number: number]>([
    ['a fault', new ConnectionError('connect timeout', false), [100, 200], 50301],
    ['a throttle', throttle, [300, 600], 42901],
  ])(
    'the two pauses between three attempts have a longest time: after %s',
    async (_, thrown, longest, number) => {
      vi.spyOn(Math, 'random').mockReturnValue(1);
      const pauses = vi.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
      syncBuiltinESMExports();
      const call = callStore('read', () => Promise.reject(thrown), new AbortController());
      await expect(call).rejects.toMatchObject({ published: { error: number } });
      expect(pauses.mock.calls.map(([ms]) => ms)).toEqual(longest);
    },
  );

  test.each<[string, Script, remaining: number, line: object]>([
    [
      'the lookup uses up the time: no put',
      { GetItem: ['hang'] },
      1_800,
      { error: 50301, GetItem: 1, PutItem: 0 },
    ],
    [
      'a put that the deadline aborts may be stored',
      { PutItem: ['hang'] },
      1_800,
      { error: 50401, PutItem: 1 },
    ],
    [
      'without time, there is no call',
      {},
      1_000,
      { error: 50301, fault: 'deadline', GetItem: 0, PutItem: 0 },
    ],
  ])('%s', async (_, script, remaining, line) => {
    const duration = Math.max(remaining - 1_500, 0);
    expect(await postTo(script, remaining)).toMatchObject({ ...line, duration });
  });

  test('if the deadline falls within a pause, the last attempt decides the response', async () => {
    const deadline = new AbortController();
    const attempts = vi.fn(() => {
      setImmediate(() => deadline.abort());
      return Promise.reject(new ConnectionError('timeout', true));
    });
    // A pause so long that the deadline falls within it on any machine.
    vi.spyOn(Math, 'random').mockReturnValue(1_000);
    const call = callStore('write', attempts, deadline);
    await expect(call).rejects.toMatchObject({ published: { error: 50401 } });
    expect(attempts).toHaveBeenCalledTimes(1);
  });

  test('whatever hangs, the early response is sent before Lambda stops the function', async () => {
    const { lines, handler } = startOperation(() => pause(250, undefined as never));
    const context = { getRemainingTimeInMillis: () => 500 };
    expect(await handler(plantEvent(TOKEN, FERN), context)).toBeRefused(50401);
    expect(lines).toMatchObject([{ outcome: 'failed', error: 50401, fault: 'early response' }]);
  });
});

test('the client has no unneeded steps and only one signer; by default it uses the endpoint of the Region', () => {
  const { config, middlewareStack } = documentClient({});
  expect(middlewareStack.identify().filter((step) => /logger|recursion|userAgent/i.test(step))).toEqual([]);
  const scheme = { name: 'sigv4', signingName: 'dynamodb', signingRegion: 'local', properties: {} };
  expect(config.signer(scheme)).toBe(config.signer(scheme));
  expect(config.endpoint).toBeUndefined();
});
