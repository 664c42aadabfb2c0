import { syncBuiltinESMExports } from 'node:module';
import timers, { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyOf } from '../../../contract/examples.ts';
import { makeHandler } from '../../../lambda/middleware.ts';
import type { RequestLogLine } from '../../../lambda/request/log.ts';
import { ConnectionError } from '../../../lambda/store/buffering-http-handler.ts';
import { callStore, documentClient } from '../../../lambda/store/store.ts';
import { formatToken } from '../../../lambda/store/token-format.ts';
import { startSource } from '../../support/function-under-test.ts';
import { type Script, ScriptedStore } from '../../support/scripted-store.ts';
import { exception, type StoreResponse } from '../../support/store-behaviors.ts';
import { errorOf, plantEvent } from '../../support/test-service.ts';

const TOKEN = formatToken(new Uint8Array(32).fill(1));
const FERN = bodyOf(1);

// The scripted store advances the clock, so that no result depends on the machine's speed.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  // No pauses between attempts.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Sends one request to the function, whose store follows a script. */
async function postTo(script: Script, remaining?: number) {
  const store = await ScriptedStore.start({ script, clock: { advance: vi.advanceTimersByTimeAsync } });
  const client = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: store.endpoint });
  const { handler, lines } = startSource(client);
  const context = remaining === undefined ? {} : { getRemainingTimeInMillis: () => remaining };
  const response = await handler(plantEvent(TOKEN, FERN), context);
  client.destroy();
  await store.close();
  return { response, calls: store.attempts, line: lines[0] };
}

// test/faults tries each fault of the store in each attempt of each call.
test.each<[string, StoreResponse]>([
  ['without a name', { status: 400, body: '{}' }],
  ['with status 399', exception('AccessDeniedException', 399)],
])('a refusal %s is not DynamoDB’s, and no fault of ours', async (_, refusal) => {
  expect((await postTo({ GetItem: [refusal] })).line).toMatchObject({ error: 50301 });
});

test('missing credentials, or a bug before anything is sent, leads to 50001', async () => {
  const attempts = vi.fn(() => Promise.reject(new TypeError('no credentials')));
  const call = callStore('write', attempts, new AbortController().signal);
  await expect(call).rejects.toMatchObject({ published: { error: 50001 }, fault: 'TypeError' });
});

describe('a request ends in time', () => {
  test('there are two pauses between three attempts, of at most 100 and 200 ms', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const pauses = vi.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
    syncBuiltinESMExports();
    const refused = new ConnectionError('ECONNREFUSED', false, new Error());
    const call = callStore('read', () => Promise.reject(refused), new AbortController().signal);
    await expect(call).rejects.toMatchObject({ published: { error: 50301 } });
    expect(pauses.mock.calls.map(([ms]) => ms)).toEqual([100, 200]);
  });

  test('if the lookup uses up the time, there is no put and nothing is stored', async () => {
    const { line, calls } = await postTo({ GetItem: ['hang'] }, 1800);
    expect(line).toMatchObject({ error: 50301, duration: 300 });
    expect(calls).toEqual({ GetItem: 1, PutItem: 0 });
  });

  test('a put that the deadline aborts may be stored: 50401', async () => {
    const { line } = await postTo({ PutItem: ['hang'] }, 1800);
    expect(line).toMatchObject({ error: 50401, duration: 300 });
  });

  test('if the deadline falls within a pause, the last attempt decides the response', async () => {
    const metadata = {
      name: 'ThrottlingException',
      $fault: 'client',
      $metadata: { httpStatusCode: 400 },
    } as const;
    const deadline = new AbortController();
    const attempts = vi.fn(() => {
      setImmediate(() => deadline.abort());
      return Promise.reject(new DynamoDBServiceException(metadata));
    });
    // A pause so long that the deadline falls within it on any machine.
    vi.spyOn(Math, 'random').mockReturnValue(1_000);
    const call = callStore('write', attempts, deadline.signal);
    await expect(call).rejects.toMatchObject({ published: { error: 42901 } });
    expect(attempts).toHaveBeenCalledTimes(1);
  });

  test('a request that starts without time makes no call', async () => {
    const { line, calls } = await postTo({}, 1000);
    expect(line).toMatchObject({ error: 50301, fault: 'deadline' });
    expect(calls).toEqual({ GetItem: 0, PutItem: 0 });
  });

  test('whatever hangs, the early response is sent before Lambda stops the function', async () => {
    const lines: RequestLogLine[] = [];
    const handler = makeHandler(() => pause(250, undefined as never), {
      writeLog: (line) => lines.push(line),
    });
    const context = { getRemainingTimeInMillis: () => 500 };
    expect(errorOf(await handler(plantEvent(TOKEN, FERN), context))).toBe(50401);
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
