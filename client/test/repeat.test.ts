import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import {
  type CallOptions,
  createPlantStore,
  type Fetch,
  PlantStoreError,
  type PlantStoreOptions,
} from '../src/index.ts';
import { plantOf } from './scripted-service.ts';

type Attempt = () => Response | Promise<Response>;

const BROKEN: Attempt = () => Promise.reject(new TypeError('fetch failed'));
const REFUSED: Attempt = () =>
  Promise.reject(Object.assign(new Error('no'), { syscall: 'connect', code: 'X' }));
/** What Cloudflare's workerd rejects with. */
const LOST: Attempt = () => Promise.reject(new Error('Network connection lost.'));
/** A fetch that neither responds nor obeys its signal. */
const HANGS: Attempt = () => new Promise(() => undefined);

const response =
  (status: number, body: string, headers: Record<string, string> = {}): Attempt =>
  () =>
    new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
/** A response whose body breaks off, or never ends. */
const begun = (status: number, ending: 'breaks' | 'stalls'): Attempt => {
  const body = () =>
    new ReadableStream({
      pull: (to) => (ending === 'breaks' ? to.error(new Error('lost')) : new Promise(() => undefined)),
    });
  const headers = { 'content-type': 'application/json', 'retry-after': '4' };
  return () => new Response(body(), { status, headers });
};
const refusal = (error: number, headers?: Record<string, string>) =>
  response(400, JSON.stringify({ error, message: 'm' }), headers);
const STORED = response(200, JSON.stringify(LEAST));

/**
 * One call whose attempts follow a script; the last entry applies to all further attempts.
 * @param during moves the clock; by default to the end of the call
 * @returns the plant or the error; when in milliseconds the request was sent, and with which signals; how long it all took
 */
async function call(
  script: Attempt[],
  options: Partial<PlantStoreOptions> = {},
  ofCall: CallOptions = {},
  during: () => Promise<unknown> = () => vi.runAllTimersAsync(),
) {
  const startedAt = performance.now();
  const times: number[] = [];
  const signals: AbortSignal[] = [];
  const fetch: Fetch = async (_, { signal }) => {
    const next = script[Math.min(times.length, script.length - 1)] ?? STORED;
    times.push(performance.now() - startedAt);
    signals.push(signal);
    return next();
  };
  const store = createPlantStore({ baseUrl: 'http://127.0.0.1', token: 't', fetch, ...options });
  const ended = store.createPlant(plantOf(1), ofCall).catch((error: unknown) => error);
  await during();
  const result = await ended;
  return { result, times, signals, duration: performance.now() - startedAt };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  vi.setSystemTime('2026-01-01T00:00:00Z');
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
});

describe('the pauses', () => {
  test.each<[string, Attempt, number]>([
    ['the time for the number of the service', refusal(42901), 1000],
    ['its Retry-After instead', refusal(42901, { 'retry-after': '12' }), 12_000],
    ['250 ms at least', refusal(42901, { 'retry-after': '0' }), 250],
    ['250 ms after a lost connection', BROKEN, 250],
    ['250 ms after one that is a plain Error', LOST, 250],
    ['the Retry-After of a 400 whose body is cut', begun(400, 'breaks'), 4000],
    ['the Retry-After of a 503 whose body is cut', begun(503, 'breaks'), 4000],
    ['the Retry-After of a 503 whose body never ends', begun(503, 'stalls'), 14_000],
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

test.each<[string, Attempt[], number | undefined, number, boolean]>([
  ['after three attempts', [REFUSED], undefined, 3, false],
  ['after three in a row', [REFUSED, REFUSED, BROKEN, REFUSED], undefined, 6, true],
  ['after maxAttempts instead', [REFUSED], 5, 5, false],
  ['in time', [REFUSED], Infinity, 8, false],
  ['in time, if the service says that it has none', [refusal(50301)], undefined, 5, false],
])('without a connection a call ends %s', async (_, script, maxAttempts, attempts, mayBeStored) => {
  const { result, times } = await call(script, { maxAttempts });
  expect(result).toMatchObject({ error: 50301, retryAfter: 2, mayBeStored });
  expect(times).toHaveLength(attempts);
});

const throws = (): never => {
  throw new ReferenceError('mock is not defined');
};
test.each<[unknown, () => unknown]>([
  [expect.any(ReferenceError), throws],
  [expect.any(ReferenceError), () => ({ arrayBuffer: throws })],
  [{ message: 'fetch must resolve with a Response.' }, async () => ({ status: 200 })],
])('a mistake in one’s own fetch ends the call at once as it is: %o', async (thrown, attempt) => {
  const fetch = vi.fn(attempt) as unknown as Fetch;
  const { result } = await call([], { fetch });
  expect([result, vi.mocked(fetch).mock.calls.length]).toMatchObject([thrown, 1]);
});

test('whatever a fetch rejects with is a lost connection, also nothing', async () => {
  const { result, times } = await call([() => Promise.reject(undefined)], { maxAttempts: 2 });
  expect([result, times]).toMatchObject([{ error: 50401, mayBeStored: true }, [0, 250]]);
});

describe('a call ends', () => {
  test('before a pause that would exceed the time, with the last response', async () => {
    const script = [refusal(42901, { 'x-request-id': 'r-1' })];
    const result = { error: 42901, requestId: 'r-1', retryAfter: 1, mayBeStored: false };
    expect(await call(script, { timeoutMs: 5000 })).toMatchObject({ result, times: [0, 1000, 3000] });
  });

  test('after 30 s, and its attempts after 10 s; the last has only the remaining time', async () => {
    const cause = { name: 'TimeoutError', message: 'No response within 9250 ms.' };
    const result = { error: 50401, mayBeStored: true, cause };
    const { signals, ...ended } = await call([HANGS]);
    expect(ended).toMatchObject({ result, times: [0, 10_250, 20_750], duration: 30_000 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  test('after the timeoutMs of this call', async () => {
    expect(await call([HANGS], {}, { timeoutMs: 1900 })).toMatchObject({ times: [0], duration: 1900 });
  });

  test('after a pause that ended too late, without another attempt', async () => {
    const during = async () => {
      const deadline = performance.now() + 30_000;
      await vi.advanceTimersByTimeAsync(500);
      vi.spyOn(performance, 'now').mockReturnValue(deadline);
      await vi.advanceTimersByTimeAsync(500);
    };
    const result = { error: 42901, mayBeStored: false };
    expect(await call([refusal(42901)], {}, {}, during)).toMatchObject({ result, times: [0] });
  });

  test('instead of a pause that is longer than a timer can be', async () => {
    const script = [refusal(42901, { 'retry-after': '2147484' }), STORED];
    expect(await call(script, { timeoutMs: Infinity })).toMatchObject({
      result: { error: 42901 },
      times: [0],
    });
  });
});

describe('onRetry', () => {
  test('ends the call with what it throws', async () => {
    const onRetry = vi.fn(() => {
      throw 'enough';
    });
    expect(await call([refusal(42901)], { onRetry })).toMatchObject({ result: 'enough', times: [0] });
    expect(onRetry).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ error: 42901 }), 1000);
  });

  test('changes nothing if its promise rejects', async () => {
    const onRetry = () => Promise.reject('lost');
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
    const ended = await call([STORED], { token });
    expect(ended.result).not.toBeInstanceOf(PlantStoreError);
    expect(ended).toMatchObject({ result: { message }, times: [], duration });
  });
});

describe('an abort', () => {
  test.each<[string, Attempt, 'client' | 'call']>([
    ['the call ends a pause', refusal(42901), 'call'],
    ['the client ends an attempt, even if fetch ignores its signal', HANGS, 'client'],
  ])('of %s at once, with its reason', async (_, attempt, whose) => {
    const stop = new AbortController();
    const reason = new DOMException('closing', 'AbortError');
    const during = async () => {
      await vi.advanceTimersByTimeAsync(500);
      stop.abort(reason);
    };
    const { signal } = stop;
    const { signals, ...ended } = await call(
      [attempt],
      whose === 'client' ? { signal, maxAttempts: 1 } : {},
      whose === 'call' ? { signal } : {},
      during,
    );
    expect(ended).toMatchObject({ result: reason, times: [0], duration: 500 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([attempt === HANGS]);
  });

  describe('where signals have neither throwIfAborted nor a reason, and there is no DOMException, as in React Native', () => {
    beforeEach(() => void vi.stubGlobal('DOMException', undefined));
    afterEach(() => void vi.unstubAllGlobals());
    const AbortError = { name: 'AbortError', message: 'This operation was aborted.' };

    test.each([0, 500])('ends the call after %i ms', async (ms) => {
      const signal = Object.assign(new EventTarget(), { aborted: false });
      const abort = () => {
        signal.aborted = true;
        signal.dispatchEvent(new Event('abort'));
      };
      if (ms === 0) abort();
      else setTimeout(abort, ms);
      const ended = await call([HANGS], {}, { signal: signal as unknown as AbortSignal });
      expect(ended).toMatchObject({ result: AbortError, times: ms === 0 ? [] : [0], duration: ms });
    });

    test('is not needed for the end of an attempt', async () => {
      expect(await call([HANGS, STORED])).toMatchObject({ result: LEAST, times: [0, 10_250] });
    });
  });

  test('before the call or while its token comes prevents every request', async () => {
    const stop = new AbortController();
    const token = () => {
      stop.abort('closing');
      return 'plants_new';
    };
    const options = { signal: stop.signal, token };
    expect(await call([STORED], options)).toMatchObject({ result: 'closing', times: [] });
    expect(await call([STORED], options)).toMatchObject({ result: 'closing', times: [] });
  });

  // Node 20 prints from the eleventh listener on that there may be a leak.
  test.each([11, 100])(
    'ends %i calls at once; their signal had one listener, and then none',
    async (count) => {
      const stop = new AbortController();
      const { signal } = stop;
      const options = { baseUrl: 'http://127.0.0.1', token: 't', fetch: async () => HANGS(), signal };
      const store = createPlantStore(options);
      const calls = Array.from({ length: count }, () => store.createPlant(plantOf(1), { signal }));
      const ended = Promise.allSettled(calls);
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      stop.abort('closing');
      expect(await ended).toEqual(calls.map(() => ({ status: 'rejected', reason: 'closing' })));
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    },
  );
});
