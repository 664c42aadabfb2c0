import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import { type CreatePlantOptions, createPlantStore, type PlantStoreOptions } from '../src/index.ts';
import { wait } from '../src/stop.ts';
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
 * @returns the plant or the error; times in milliseconds; the errors of the attempts that were retried
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
  const errors: number[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const next = script[Math.min(times.length, script.length - 1)];
    times.push(performance.now() - startedAt);
    if (init?.signal) signals.push(init.signal);
    return (next ?? STORED)();
  };
  const onRetry = ({ error }: { error: number }) => void errors.push(error);
  const store = createPlantStore({ baseUrl: 'http://127.0.0.1', token: 't', fetch, onRetry, ...options });
  const ended = store.createPlant(plantOf(1), ofCall).catch((error: unknown) => error);
  await during();
  const result = await ended;
  return { result, times, signals, errors, duration: performance.now() - startedAt };
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

describe('which requests are retried, and when', () => {
  const date = 'Thu, 01 Jan 2026 00:00:04 GMT';
  test.each<[string, Attempt, number, number[]]>([
    ['throttled: after 1 s, then with growing pauses', refusal(42901), 42901, [1000, 3000]],
    ['unavailable: after 2 s', refusal(50301), 50301, [2000, 6000]],
    ['no response in time: after 2 s', refusal(50401), 50401, [2000, 6000]],
    ['Retry-After overrides the table', refusal(42901, { 'retry-after': '12' }), 42901, [12000, 24000]],
    ['Retry-After 0: the first pause', refusal(42901, { 'retry-after': '0' }), 42901, [250, 750]],
    ['Retry-After as a date', refusal(50301, { 'retry-after': date }), 50301, [4000, 4500]],
    ['unreadable Retry-After: the table', refusal(42901, { 'retry-after': 'soon' }), 42901, [1000, 3000]],
    ['no date in Retry-After: the table', refusal(42901, { 'retry-after': 'A 1' }), 42901, [1000, 3000]],
    ['text after a date: the table', refusal(42901, { 'retry-after': `${date}+1` }), 42901, [1000, 3000]],
    ['text before a date: the table', refusal(42901, { 'retry-after': `A ${date}` }), 42901, [1000, 3000]],
    ['an unknown number by its first three digits', refusal(42999), 42999, [1000, 3000]],
    ['an unknown number with Retry-After', refusal(50999, { 'retry-after': '5' }), 50999, [5000, 15000]],
    ['a broken connection: after 250 ms', BROKEN, 50401, [250, 750]],
    ['a 502 from a proxy', response(502, '<html>'), 50401, [250, 750]],
    ['a 503 from a proxy with Retry-After', response(503, '', { 'retry-after': '7' }), 50401, [7000, 17000]],
    ['a 429 from AWS', response(429, '{"message":"Too Many Requests"}'), 42901, [250, 750]],
    ['a 408 from a proxy', response(408, ''), 50401, [250, 750]],
    ['a 200 without a plant', response(200, '<html>Log in</html>'), 50401, [250, 750]],
    ['an error with another status', response(500, '{"error":40002,"message":"m"}'), 50401, [250, 750]],
  ])('%s', async (_, attempt, error, retries) => {
    const expected = { result: LEAST, times: [0, ...retries], errors: [error, error] };
    expect(await call([attempt, attempt, STORED])).toMatchObject(expected);
  });

  test.each([
    40000, 40001, 40002, 40101, 40102, 40301, 40401, 40901, 41301, 41501, 50001, 50002, 40999, 59999,
  ])('%i is not retried', async (error) => {
    const result = { error, retryAfter: undefined, mayBeStored: false };
    expect(await call([refusal(error), STORED])).toMatchObject({ result, times: [0] });
  });

  // Browsers hide the status of a redirect that was not followed.
  const hidden: Attempt = () => Object.defineProperty(new Response(), 'status', { value: 0 });
  const no = '{"message":"no"}';
  test.each<[string, Attempt, number, string]>([
    ['a redirect', response(302, no), 40000, 'status 302'],
    ['a redirect without a status', hidden, 40000, 'a redirect'],
    ['a 300 from a proxy', response(300, no), 40000, 'status 300'],
    ['a 400 from a proxy', response(400, '<html>'), 40000, 'status 400'],
    ['a 400 with null', response(400, 'null'), 40000, 'status 400'],
    ['a 403 from AWS, as for a wrong stage', response(403, no), 40000, 'status 403'],
    ['a 499 from a proxy', response(499, no), 40000, 'status 499'],
    ['the 413 of AWS', response(413, no), 41301, 'status 413'],
  ])('%s is not retried', async (_, attempt, error, text) => {
    const message = expect.stringContaining(text);
    const result = { error, message, requestId: undefined, retryAfter: undefined, mayBeStored: false };
    expect(await call([attempt, STORED])).toMatchObject({ result, times: [0] });
  });

  test('the pauses grow up to 10 s', async () => {
    const { times } = await call([BROKEN], { timeoutMs: Infinity, maxAttempts: 9 });
    expect(times).toEqual([0, 250, 750, 1750, 3750, 7750, 15750, 25750, 35750]);
  });

  test('jitter adds up to 50 %', async () => {
    vi.mocked(Math.random).mockReturnValue(0.999);
    expect((await call([refusal(42901), STORED])).times).toEqual([0, 1499]);
  });
});

describe('a call that cannot connect', () => {
  /** What Node's fetch throws. */
  const failed = (cause: object): Attempt => {
    return () => Promise.reject(new TypeError('fetch failed', { cause }));
  };
  const REFUSED = failed({ syscall: 'connect', code: 'ECONNREFUSED' });
  const NO_DNS = failed({ syscall: 'getaddrinfo', code: 'ENOTFOUND' });
  const UNAVAILABLE = { error: 50301, retryAfter: 2, mayBeStored: false };

  test.each<[string, Attempt]>([
    ['a refused connection', REFUSED],
    ['a name without an address', NO_DNS],
    ['a connection that takes too long', failed({ code: 'UND_ERR_CONNECT_TIMEOUT' })],
    ['no address that accepts', failed(new AggregateError([{ syscall: 'connect' }, { syscall: 'connect' }]))],
    ['an error without a cause', () => Promise.reject({ syscall: 'connect', code: 'ECONNREFUSED' })],
    ['a port that fetch blocks', failed(new Error('bad port'))],
  ])('ends after three attempts, because nothing was stored: %s', async (_, attempt) => {
    const message = expect.stringContaining('this attempt stored nothing; check the base URL');
    const result = { ...UNAVAILABLE, message };
    expect(await call([attempt])).toMatchObject({ result, times: [0, 250, 750] });
  });

  test.each([new ReferenceError('mock is not defined'), new Error('not in this test'), undefined])(
    'is not assumed after an error that no network causes, which is thrown as it is: %s',
    async (error) => {
      expect(await call([() => Promise.reject(error)])).toMatchObject({ result: error, times: [0] });
    },
  );

  test('is not assumed after what is no Response', async () => {
    const result = { message: 'fetch must resolve with a Response.' };
    expect(await call([() => ({ status: 200 }) as Response])).toMatchObject({ result, times: [0] });
  });

  test.each<[string, Attempt]>([
    ['an error while reading', failed({ syscall: 'read', code: 'ECONNRESET' })],
    ['an error in one of two attempts', failed(new AggregateError([{ syscall: 'connect' }, {}]))],
    ['several errors that are none', failed(new AggregateError([]))],
    ['no reason, as in a browser', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('is not assumed, and the plant may be stored, after %s', async (_, attempt) => {
    const result = { error: 50401, mayBeStored: true };
    expect(await call([attempt], { timeoutMs: 3000 })).toMatchObject({ result, times: [0, 250, 750, 1750] });
  });

  test('is repeated while other attempts connect', async () => {
    const script = [REFUSED, REFUSED, BROKEN, NO_DNS, REFUSED, STORED];
    expect(await call(script)).toMatchObject({ result: LEAST, errors: [50301, 50301, 50401, 50301, 50301] });
  });

  test('says that the plant may be stored by an earlier attempt', async () => {
    const result = { error: 50301, mayBeStored: true };
    // The attempt that connected does not count.
    expect(await call([BROKEN, REFUSED])).toMatchObject({ result, times: [0, 250, 750, 1750] });
  });

  test.each([
    [1, [0]],
    [5, [0, 250, 750, 1750, 3750]],
    [Infinity, [0, 250, 750, 1750, 3750, 7750, 15750, 25750]],
  ])('ends after as many attempts as the option maxAttempts says: %d', async (maxAttempts, times) => {
    const { result, ...seen } = await call([REFUSED], { maxAttempts });
    expect(result).toMatchObject(UNAVAILABLE);
    expect(seen.times).toEqual(times);
  });
});

describe('a call ends', () => {
  test('before a pause that would exceed the time, with the last response', async () => {
    const script = [refusal(42901, { 'x-request-id': 'r-1' })];
    const result = { error: 42901, requestId: 'r-1', retryAfter: 1, mayBeStored: false };
    const times = [0, 1000, 3000];
    expect(await call(script, { timeoutMs: 5000 })).toMatchObject({ result, times, duration: 3000 });
  });

  test.each<[string, Attempt, object, object, number[]]>([
    ['after 30 s by default', refusal(50301), {}, {}, [0, 2000, 6000, 14000, 24000]],
    ['after the timeoutMs of this call', refusal(50301), {}, { timeoutMs: 1900 }, [0]],
    ['after maxAttempts', refusal(50301), { maxAttempts: 2 }, {}, [0, 2000]],
  ])('%s', async (_, attempt, options, ofCall, times) => {
    expect(await call([attempt], options, ofCall)).toMatchObject({ result: { error: 50301 }, times });
  });

  test('an attempt is abandoned after 10 s, and the signal of its fetch is aborted', async () => {
    const { result, times, signals } = await call([HANGS, STORED]);
    expect([result, times]).toEqual([LEAST, [0, 10_250]]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('after 30 s by default, to the millisecond', async () => {
    expect(await call([HANGS])).toMatchObject({ times: [0, 10_250, 20_750], duration: 30_000 });
  });

  test('the last attempt has only the remaining time', async () => {
    const cause = { name: 'TimeoutError', message: 'No response within 1750 ms.' };
    const result = { error: 50401, mayBeStored: true, cause };
    const times = [0, 10_250];
    expect(await call([HANGS], { timeoutMs: 12_000 })).toMatchObject({ result, times, duration: 12_000 });
  });

  test('when onRetry took the time of the next attempt', async () => {
    const onRetry = () => new Promise<void>((resolve) => setTimeout(resolve, 4500));
    const expected = { result: { error: 42901 }, times: [0], duration: 4500 };
    expect(await call([refusal(42901)], { onRetry, timeoutMs: 5000 })).toMatchObject(expected);
  });

  test('after a pause that ended too late, without another attempt', async () => {
    const during = async () => {
      const deadline = performance.now() + 30_000;
      await vi.advanceTimersByTimeAsync(500);
      vi.spyOn(performance, 'now').mockReturnValue(deadline);
      await vi.advanceTimersByTimeAsync(500);
    };
    const { result, times } = await call([refusal(42901)], {}, {}, during);
    expect([result, times]).toEqual([expect.objectContaining({ error: 42901, mayBeStored: false }), [0]]);
  });

  test('instead of a pause that is longer than a timer can be', async () => {
    const script = [refusal(42901, { 'retry-after': '2147484' })];
    expect(await call(script, { timeoutMs: Infinity })).toMatchObject({
      result: { error: 42901 },
      times: [0],
    });
  });

  test('after a pause that is nearly as long as a timer can be', async () => {
    const script = [refusal(42901, { 'retry-after': '2147483' }), STORED];
    const expected = { result: LEAST, times: [0, 2_147_483_000] };
    expect(await call(script, { timeoutMs: Infinity })).toMatchObject(expected);
  });

  test('when onRetry rejects', async () => {
    const onRetry = vi.fn(() => Promise.reject('enough'));
    const { result, times } = await call([refusal(42901)], { onRetry });
    expect([result, times]).toEqual(['enough', [0]]);
    expect(onRetry).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ error: 42901 }), 1000);
  });
});

test.each<[string, Attempt[], object]>([
  ['no response', [refusal(50401)], { error: 50401, mayBeStored: true }],
  [
    'refused after an attempt without a response',
    [BROKEN, refusal(40102)],
    { error: 40102, mayBeStored: true },
  ],
  ['unavailable after no response', [BROKEN, refusal(50301)], { error: 50301, mayBeStored: true }],
  ['a conflict with another plant', [BROKEN, refusal(40901)], { error: 40901, mayBeStored: false }],
])('mayBeStored says whether the plant may be stored: %s', async (_, script, result) => {
  expect(await call(script, { timeoutMs: 3000 })).toMatchObject({ result });
});

describe('a token that is a function', () => {
  test('is asked for before each attempt', async () => {
    const token = vi.fn(async () => 'plants_new');
    expect(await call([BROKEN, STORED], { token })).toMatchObject({ result: LEAST, times: [0, 250] });
    expect(token).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['throws', () => Promise.reject(new TypeError('no token')), 'no token'],
    ['returns no token', () => '', 'token must be an access token without spaces.'],
  ])('ends the call, and nothing is sent, if it %s', async (_, token, message) => {
    expect(await call([STORED], { token })).toMatchObject({ result: { message }, times: [] });
  });
});

describe('an abort', () => {
  const abort = (stop: AbortController) => async () => {
    await vi.advanceTimersByTimeAsync(500);
    stop.abort('closing');
  };

  test.each<[string, Attempt, 'client' | 'call']>([
    ['the client ends a pause', refusal(42901), 'client'],
    ['the call ends a pause', refusal(42901), 'call'],
    ['the client ends an attempt, even if fetch ignores its signal', HANGS, 'client'],
  ])('of %s at once, with its reason', async (_, attempt, whose) => {
    const stop = new AbortController();
    const { signal } = stop;
    const [options, ofCall] = whose === 'client' ? [{ signal }, {}] : [{}, { signal }];
    const { result, times, signals, duration } = await call([attempt], options, ofCall, abort(stop));
    expect([result, times, duration]).toEqual(['closing', [0], 500]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([attempt === HANGS]);
  });

  test('ends a pause by itself, without the call around it', async () => {
    const stop = new AbortController();
    const pause = wait(1000, stop.signal);
    stop.abort('closing');
    await expect(pause).rejects.toBe('closing');
  });

  test('in onRetry leaves no timer of the pause', async () => {
    const stop = new AbortController();
    const onRetry = () => stop.abort('closing');
    const abandon = () => vi.advanceTimersByTimeAsync(0);
    const { result, times } = await call([refusal(42901)], { signal: stop.signal, onRetry }, {}, abandon);
    expect([result, times]).toEqual(['closing', [0]]);
  });

  test('before the call prevents every request', async () => {
    const { result, times } = await call([STORED], { signal: AbortSignal.abort('closed') });
    expect([result, times]).toEqual(['closed', []]);
  });

  test('leaves no listener on a signal that outlives the calls', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await call([BROKEN, STORED], { signal }, { signal });
    expect(added.mock.calls.length).toBeGreaterThan(0);
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});
