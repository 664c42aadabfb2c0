import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import {
  type CreatePlantOptions,
  createPlantStore,
  PlantStoreError,
  type PlantStoreOptions,
} from '../src/index.ts';
import { plantOf } from './scripted-service.ts';

type Attempt = () => Response | Promise<Response>;

const BROKEN: Attempt = () => Promise.reject(new TypeError('fetch failed'));
/** A fetch that neither responds nor obeys its signal. */
const HANGS: Attempt = () => new Promise(() => undefined);

const response =
  (status: number, body: string, headers: Record<string, string> = {}): Attempt =>
  () =>
    new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
const refusal = (error: number, headers?: Record<string, string>) =>
  response(400, JSON.stringify({ error, message: 'm' }), headers);
const STORED = response(200, JSON.stringify(LEAST));

/**
 * One call whose attempts follow a script; the last entry applies to all further attempts.
 * @param during moves the clock; by default to the end of the call
 * @returns the plant or the error; how often and when in milliseconds the request was sent, and with which signals
 */
async function call(
  script: Attempt[],
  options: Partial<PlantStoreOptions> = {},
  ofCall: CreatePlantOptions = {},
  during: () => Promise<unknown> = () => vi.runAllTimersAsync(),
) {
  const startedAt = performance.now();
  const times: number[] = [];
  const signals: AbortSignal[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const next = script[Math.min(times.length, script.length - 1)];
    times.push(performance.now() - startedAt);
    if (init?.signal) signals.push(init.signal);
    return (next ?? STORED)();
  };
  const store = createPlantStore({ baseUrl: 'http://127.0.0.1', token: 't', fetch, ...options });
  const ended = store.createPlant(plantOf(1), ofCall).catch((error: unknown) => error);
  await during();
  const result = await ended;
  return { result, attempts: times.length, times, signals, duration: performance.now() - startedAt };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  vi.setSystemTime('2026-01-01T00:00:00Z');
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the pauses', () => {
  test.each<[string, Attempt, number]>([
    ['the time for the number of the service', refusal(42901), 1000],
    ['its Retry-After instead', refusal(42901, { 'retry-after': '12' }), 12_000],
    ['250 ms at least', refusal(42901, { 'retry-after': '0' }), 250],
    ['250 ms after a lost connection', BROKEN, 250],
    ['250 ms after the response of a proxy', response(502, '<html>'), 250],
    ['the Retry-After of a proxy', response(403, '', { 'retry-after': '7' }), 7000],
  ])('begin with %s', async (_, attempt, pause) => {
    expect(await call([attempt, STORED])).toMatchObject({ result: LEAST, times: [0, pause] });
  });

  test.each<[string, Attempt, number[]]>([
    ['10 s', BROKEN, [0, 250, 750, 1750, 3750, 7750, 15_750, 25_750, 35_750]],
    ['Retry-After', refusal(42901, { 'retry-after': '12' }), [0, 12_000, 24_000]],
  ])('grow up to %s', async (_, attempt, times) => {
    const options = { timeoutMs: Infinity, maxAttempts: times.length };
    expect(await call([attempt], options)).toMatchObject({ times });
  });

  test('have jitter of up to 50 %', async () => {
    vi.mocked(Math.random).mockReturnValue(0.999);
    expect((await call([refusal(42901), STORED])).times).toEqual([0, 1499]);
  });
});

describe('without a connection a call', () => {
  const REFUSED: Attempt = () =>
    Promise.reject(Object.assign(new Error('no'), { syscall: 'connect', code: 'X' }));

  test('ends after three attempts', async () => {
    const result = { error: 50301, retryAfter: 2, mayBeStored: false };
    expect(await call([REFUSED])).toMatchObject({ result, attempts: 3 });
  });

  test('ends after three in a row, and an earlier attempt may have stored the plant', async () => {
    const result = { error: 50301, mayBeStored: true };
    expect(await call([REFUSED, REFUSED, BROKEN, REFUSED])).toMatchObject({ result, attempts: 6 });
  });

  test.each([
    [1, 1],
    [5, 5],
    [Infinity, 8],
  ])('ends after maxAttempts instead, and in time: %d', async (maxAttempts, attempts) => {
    expect(await call([REFUSED], { maxAttempts })).toMatchObject({ attempts });
  });
});

test.each<[unknown, Attempt]>([
  [expect.any(ReferenceError), () => Promise.reject(new ReferenceError('mock is not defined'))],
  [undefined, () => Promise.reject(undefined)],
  [{ message: 'fetch must resolve with a Response.' }, () => ({ status: 200 }) as Response],
])('a mistake in one’s own fetch ends the call as it is: %o', async (thrown, attempt) => {
  const { result, attempts } = await call([attempt]);
  expect([result, attempts]).toMatchObject([thrown, 1]);
});

describe('a call ends', () => {
  test('before a pause that would exceed the time, with the last response', async () => {
    const script = [refusal(42901, { 'x-request-id': 'r-1' })];
    const result = { error: 42901, requestId: 'r-1', retryAfter: 1, mayBeStored: false };
    expect(await call(script, { timeoutMs: 5000 })).toMatchObject({ result, attempts: 3, duration: 3000 });
  });

  test('after 30 s, and its attempts after 10 s; the last has only the remaining time', async () => {
    const cause = { name: 'TimeoutError', message: 'No response within 9250 ms.' };
    const result = { error: 50401, mayBeStored: true, cause };
    const { signals, ...ended } = await call([HANGS]);
    expect(ended).toMatchObject({ result, times: [0, 10_250, 20_750], duration: 30_000 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  test('after the timeoutMs of this call', async () => {
    expect(await call([HANGS], {}, { timeoutMs: 1900 })).toMatchObject({ attempts: 1, duration: 1900 });
  });

  test('after a pause that ended too late, without another attempt', async () => {
    const during = async () => {
      const deadline = performance.now() + 30_000;
      await vi.advanceTimersByTimeAsync(500);
      vi.spyOn(performance, 'now').mockReturnValue(deadline);
      await vi.advanceTimersByTimeAsync(500);
    };
    const result = { error: 42901, mayBeStored: false };
    expect(await call([refusal(42901)], {}, {}, during)).toMatchObject({ result, attempts: 1 });
  });

  test.each([
    ['instead of a pause that is longer than a timer can be', '2147484', [0]],
    ['after a pause that is nearly as long as a timer can be', '2147483', [0, 2_147_483_000]],
  ])('%s', async (_, seconds, times) => {
    const script = [refusal(42901, { 'retry-after': seconds }), refusal(40901)];
    expect(await call(script, { timeoutMs: Infinity })).toMatchObject({ times });
  });
});

describe('onRetry', () => {
  test('ends the call with what it throws', async () => {
    const onRetry = vi.fn(() => {
      throw 'enough';
    });
    expect(await call([refusal(42901)], { onRetry })).toMatchObject({ result: 'enough', attempts: 1 });
    expect(onRetry).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ error: 42901 }), 1000);
  });

  test.each([
    ['never ends', () => new Promise<void>(() => undefined)],
    ['rejects', () => Promise.reject('lost')],
  ])('changes nothing if its promise %s', async (_, onRetry) => {
    expect(await call([refusal(42901), STORED], { onRetry })).toMatchObject({
      result: LEAST,
      times: [0, 1000],
    });
  });
});

test.each<[string, Attempt[], boolean]>([
  ['refused after no response', [refusal(50401), refusal(40102)], true],
  ['a conflict with another plant', [BROKEN, refusal(40901)], false],
])('mayBeStored says whether the plant may be stored: %s', async (_, script, mayBeStored) => {
  expect(await call(script)).toMatchObject({ result: { mayBeStored } });
});

describe('a token that is a function', () => {
  test('is asked for before each attempt, in a time of its own', async () => {
    const token = vi.fn(() => new Promise<string>((resolve) => setTimeout(resolve, 2000, 'plants_new')));
    const ended = await call([BROKEN, STORED], { token, attemptTimeoutMs: 1000 });
    expect(ended).toMatchObject({ result: LEAST, times: [2000, 4250] });
  });

  test.each<[string, () => string | Promise<string>, string, number]>([
    ['throws', () => Promise.reject(new DOMException('no token', 'TimeoutError')), 'no token', 0],
    ['returns no token', () => '', 'token must be an access token without spaces.', 0],
    ['never ends', () => new Promise(() => undefined), 'No token within 30000 ms.', 30_000],
  ])('ends the call, and nothing is sent, if it %s', async (_, token, message, duration) => {
    const { result, ...ended } = await call([STORED], { token });
    expect(result).not.toBeInstanceOf(PlantStoreError);
    expect({ result, ...ended }).toMatchObject({ result: { message }, attempts: 0, duration });
  });
});

describe('an abort', () => {
  test.each<[string, Attempt, 'client' | 'call', number]>([
    ['the call ends a pause', refusal(42901), 'call', 1],
    ['the client ends an attempt, even if fetch ignores its signal', HANGS, 'client', 0],
  ])('of %s at once, with its reason', async (_, attempt, whose, retries) => {
    const stop = new AbortController();
    const reason = new DOMException('closing', 'AbortError');
    const during = async () => {
      await vi.advanceTimersByTimeAsync(500);
      stop.abort(reason);
    };
    const onRetry = vi.fn();
    const { signal } = stop;
    const [options, ofCall] = whose === 'client' ? [{ signal }, {}] : [{}, { signal }];
    const { signals, ...ended } = await call([attempt], { onRetry, ...options }, ofCall, during);
    expect(ended).toMatchObject({ result: reason, attempts: 1, duration: 500 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([attempt === HANGS]);
    expect(onRetry).toHaveBeenCalledTimes(retries);
  });

  test('in onRetry leaves no timer of the pause', async () => {
    const stop = new AbortController();
    const onRetry = () => stop.abort('closing');
    const abandon = () => vi.advanceTimersByTimeAsync(0);
    const ended = await call([refusal(42901)], { signal: stop.signal, onRetry }, {}, abandon);
    expect(ended).toMatchObject({ result: 'closing', attempts: 1 });
  });

  test('before the call or while its token comes prevents every request', async () => {
    const stop = new AbortController();
    const token = () => {
      stop.abort('closing');
      return 'plants_new';
    };
    const options = { signal: stop.signal, token };
    expect(await call([STORED], options)).toMatchObject({ result: 'closing', attempts: 0 });
    expect(await call([STORED], options)).toMatchObject({ result: 'closing', attempts: 0 });
  });
});
