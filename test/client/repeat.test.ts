import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPlantStore, type PlantStoreError, type PlantStoreOptions } from '../../client/src/index.ts';

const FERN = { id: 1, name: 'Fern' };
const STOP = new Error('enough');
const STORED = () => new Response('{"name":"Fern"}');
const BROKEN = () => Promise.reject(new TypeError('fetch failed'));
/** A fetch that neither answers nor obeys its signal. */
const HANGS = () => new Promise<Response>(() => undefined);

function refusal(error: number, headers: Record<string, string> = {}) {
  return () => new Response(JSON.stringify({ error, message: 'm' }), { status: 400, headers });
}

/** A client whose attempts follow a script; its last entry applies to all further attempts. */
function scripted(script: (() => Response | Promise<Response>)[], options: Partial<PlantStoreOptions> = {}) {
  const startedAt = performance.now();
  /** The start time of each attempt, in milliseconds. */
  const times: number[] = [];
  const signals: AbortSignal[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const next = script[Math.min(times.length, script.length - 1)];
    times.push(performance.now() - startedAt);
    if (init?.signal) signals.push(init.signal);
    return (next ?? STORED)();
  };
  const store = createPlantStore({ baseUrl: 'http://localhost', token: 't', fetch, ...options });
  return { times, signals, store };
}

/** The plant or the error of a call, with its rejection handled from the start. */
function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => error);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('which requests are retried, and when', () => {
  test.each<[string, () => Response | Promise<Response>, number[]]>([
    ['throttled: after 1 s, then with growing pauses', refusal(42901), [0, 1000, 3000]],
    ['unavailable: after 2 s', refusal(50301), [0, 2000, 6000]],
    ['no answer in time: after 2 s', refusal(50401), [0, 2000, 6000]],
    ['Retry-After overrides the table', refusal(42901, { 'retry-after': '3' }), [0, 3000, 9000]],
    [
      'Retry-After 0 still means the first pause of 250 ms',
      refusal(42901, { 'retry-after': '0' }),
      [0, 250, 750],
    ],
    [
      'Retry-After as a date',
      refusal(50301, { 'retry-after': 'Thu, 01 Jan 2026 00:00:04 GMT' }),
      [0, 4000, 4500],
    ],
    [
      'Retry-After that cannot be read: the table',
      refusal(42901, { 'retry-after': 'soon' }),
      [0, 1000, 3000],
    ],
    ['an unknown number by its first three digits', refusal(42999), [0, 1000, 3000]],
    ['an unknown number with Retry-After', refusal(50999, { 'retry-after': '5' }), [0, 5000, 15000]],
    ['a broken connection: after 250 ms', BROKEN, [0, 250, 750]],
    ['a 502 from a proxy', () => new Response('<html>', { status: 502 }), [0, 250, 750]],
    [
      'a 503 from a proxy with Retry-After',
      () => new Response('', { status: 503, headers: { 'retry-after': '7' } }),
      [0, 7000, 17000],
    ],
    ['a 429 from AWS', () => new Response('{"message":"Too Many Requests"}', { status: 429 }), [0, 250, 750]],
    ['a 408 from a proxy', () => new Response('', { status: 408 }), [0, 250, 750]],
    ['a 200 without a plant', () => new Response('<html>Log in</html>'), [0, 250, 750]],
    ['a 200 with an empty object', () => new Response('{}'), [0, 250, 750]],
    ['a 200 with null', () => new Response('null'), [0, 250, 750]],
    [
      'a 200 with a tag that is not a string',
      () => new Response('{"name":"Fern","tag":null}'),
      [0, 250, 750],
    ],
  ])('%s', async (_, behaviour, expected) => {
    vi.setSystemTime('2026-01-01T00:00:00Z');
    const { times, store } = scripted([behaviour, behaviour, STORED]);
    const call = store.createPlant(FERN);
    await vi.runAllTimersAsync();
    expect(await call).toEqual({ name: 'Fern' });
    expect(times).toEqual(expected);
  });

  test.each([
    40000, 40001, 40002, 40101, 40102, 40301, 40401, 40901, 41301, 41501, 50001, 50002, 40999, 60000,
  ])('%i is not retried', async (error) => {
    const { times, store } = scripted([refusal(error), STORED]);
    expect(await outcomeOf(store.createPlant(FERN))).toMatchObject({ error, retryAfter: undefined });
    expect(times).toEqual([0]);
  });

  test.each([
    ['a redirect', 302, 40000],
    ['a 400 from a proxy', 400, 40000],
    ['a 403 from AWS, as for a wrong stage', 403, 40000],
    ['a 404 from a proxy', 404, 40000],
    ['the 413 of AWS', 413, 41301],
  ])('%s is not retried', async (_, status, error) => {
    const { times, store } = scripted([() => new Response('{"message":"no"}', { status }), STORED]);
    const refused = await outcomeOf(store.createPlant(FERN));
    expect(refused).toMatchObject({ error, requestId: undefined, retryAfter: undefined, mayBeStored: false });
    expect((refused as Error).message).toContain(`status ${status}`);
    expect(times).toEqual([0]);
  });

  test('a 400 whose body is JSON but not an object is not retried', async () => {
    const { store } = scripted([() => new Response('null', { status: 400 })]);
    expect(await outcomeOf(store.createPlant(FERN))).toMatchObject({ error: 40000 });
  });

  test.each([
    ['a plant', 201, { name: 'Fern' }],
    ['an error', 500, { error: 40002, message: 'm' }],
  ])(
    '%s with a status that is not in the contract does not count as an answer of the service',
    async (_, status, content) => {
      const answer = () => new Response(JSON.stringify(content), { status });
      const { store } = scripted([answer], { maxAttempts: 1 });
      expect(await outcomeOf(store.createPlant(FERN))).toMatchObject({ error: 50401, mayBeStored: true });
    },
  );

  test("a browser's redirect without a status is neither followed nor retried", async () => {
    const opaque = { status: 0, headers: new Headers(), text: async () => '' } as Response;
    const { times, store } = scripted([() => opaque]);
    const refused = await outcomeOf(store.createPlant(FERN));
    expect(refused).toMatchObject({ error: 40000, message: expect.stringContaining('a redirect') });
    expect(times).toEqual([0]);
  });

  test('the pauses grow up to 10 s, or to a longer Retry-After', async () => {
    const { times, store } = scripted([BROKEN], { timeoutMs: Infinity, maxAttempts: 9 });
    const call = outcomeOf(store.createPlant(FERN));
    await vi.runAllTimersAsync();
    await call;
    expect(times).toEqual([0, 250, 750, 1750, 3750, 7750, 15750, 25750, 35750]);
  });

  test('jitter adds up to 50 %', async () => {
    vi.mocked(Math.random).mockReturnValue(0.999);
    const { times, store } = scripted([refusal(42901), STORED]);
    const call = store.createPlant(FERN);
    await vi.runAllTimersAsync();
    await call;
    expect(times).toEqual([0, 1499]);
  });
});

describe('when a call ends', () => {
  test('before a pause that would exceed the time, with the last answer', async () => {
    const { times, store } = scripted([refusal(42901, { 'x-request-id': 'r-1' })], { timeoutMs: 5000 });
    const call = outcomeOf(store.createPlant(FERN));
    await vi.runAllTimersAsync();
    const expected = { error: 42901, requestId: 'r-1', retryAfter: 1, mayBeStored: false };
    expect(await call).toMatchObject(expected);
    expect(times).toEqual([0, 1000, 3000]);
    expect(performance.now()).toBeGreaterThanOrEqual(3000);
  });

  test('a call may have less time than the client', async () => {
    const { times, store } = scripted([refusal(42901)]);
    expect(await outcomeOf(store.createPlant(FERN, { timeoutMs: 900 }))).toMatchObject({ error: 42901 });
    expect(times).toEqual([0]);
  });

  test('after 30 s by default', async () => {
    const { times, store } = scripted([refusal(50301)]);
    const call = outcomeOf(store.createPlant(FERN));
    await vi.runAllTimersAsync();
    expect(await call).toMatchObject({ error: 50301 });
    expect(times).toEqual([0, 2000, 6000, 14000, 24000]);
  });

  test('an attempt is abandoned after 10 s, and the signal of its fetch is aborted', async () => {
    const { times, signals, store } = scripted([HANGS, STORED]);
    const call = store.createPlant(FERN);
    await vi.runAllTimersAsync();
    expect(await call).toEqual({ name: 'Fern' });
    expect(times).toEqual([0, 10_250]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('the last attempt has only the remaining time', async () => {
    const { times, store } = scripted([HANGS], { timeoutMs: 12_000 });
    const startedAt = performance.now();
    const call = outcomeOf(store.createPlant(FERN));
    await vi.runAllTimersAsync();
    expect(await call).toMatchObject({ error: 50401, mayBeStored: true, cause: { name: 'TimeoutError' } });
    expect(times).toEqual([0, 10_250]);
    expect(performance.now() - startedAt).toBe(12_000);
  });

  test('after maxAttempts', async () => {
    const { times, store } = scripted([refusal(42901)], { maxAttempts: 1 });
    expect(await outcomeOf(store.createPlant(FERN))).toMatchObject({ error: 42901 });
    expect(times).toEqual([0]);
  });

  test.each([
    [
      'throws',
      () => {
        throw STOP;
      },
    ],
    ['rejects', () => Promise.reject(STOP)],
  ])('when onRepeat %s', async (_, end) => {
    const onRepeat = vi.fn<(error: PlantStoreError, pauseMs: number) => void | Promise<void>>(end);
    const { times, store } = scripted([refusal(42901)], { onRepeat });
    expect(await outcomeOf(store.createPlant(FERN))).toBe(STOP);
    expect(onRepeat).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ error: 42901 }), 1000);
    expect(times).toEqual([0]);
  });
});

describe('whether the plant may be stored', () => {
  test.each<[string, (() => Response | Promise<Response>)[], object]>([
    ['refused at once', [refusal(40102)], { error: 40102, mayBeStored: false }],
    ['no answer', [refusal(50401)], { error: 50401, mayBeStored: true }],
    [
      'refused after an attempt without an answer',
      [BROKEN, refusal(40102)],
      { error: 40102, mayBeStored: true },
    ],
    [
      'unavailable after an attempt without an answer',
      [BROKEN, refusal(50301)],
      { error: 50301, mayBeStored: true },
    ],
    ['a conflict with another plant', [BROKEN, refusal(40901)], { error: 40901, mayBeStored: false }],
  ])('%s', async (_, script, expected) => {
    const { store } = scripted(script, { timeoutMs: 3000 });
    const call = outcomeOf(store.createPlant(FERN));
    await vi.runAllTimersAsync();
    expect(await call).toMatchObject(expected);
  });
});

describe('an abort', () => {
  test.each(['client', 'call'])('by the %s ends a pause at once, with its reason', async (whose) => {
    const stop = new AbortController();
    const signal = stop.signal;
    const { times, store } = scripted([refusal(42901)], whose === 'client' ? { signal } : {});
    const call = outcomeOf(store.createPlant(FERN, whose === 'call' ? { signal } : {}));
    await vi.advanceTimersByTimeAsync(500);
    stop.abort('closing');
    expect(await call).toBe('closing');
    expect(times).toEqual([0]);
  });

  test('ends an attempt at once, even if fetch ignores its signal', async () => {
    const stop = new AbortController();
    const { times, signals, store } = scripted([HANGS], { signal: stop.signal });
    const call = outcomeOf(store.createPlant(FERN));
    await vi.advanceTimersByTimeAsync(500);
    stop.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
    expect(times).toEqual([0]);
    expect(signals[0]?.aborted).toBe(true);
  });

  test('before the call, nothing is sent', async () => {
    const { times, store } = scripted([STORED], { signal: AbortSignal.abort('closed') });
    expect(await outcomeOf(store.createPlant(FERN))).toBe('closed');
    expect(times).toEqual([]);
  });

  test('leaves no listener on a signal that outlives the calls', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const { store } = scripted([BROKEN, STORED], { signal });
    const call = store.createPlant(FERN, { signal });
    await vi.runAllTimersAsync();
    await call;
    expect(added.mock.calls.length).toBeGreaterThan(0);
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });
});
