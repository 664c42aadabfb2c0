import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { createPlantStore, PlantStoreError, type PlantStoreOptions } from '../src/index.ts';
import { type Behavior, FERN, plantOf, refusal, startScriptedService } from './scripted-service.ts';

const PLANT = plantOf(9007199254740993n, WHOLE);
const SHADED = { status: 200, body: JSON.stringify(WHOLE) };
const BODY = bodyOf(9007199254740993n, WHOLE);

beforeEach(() => {
  // Without jitter, because test runs lengthen the pauses (test/support/every-process.ts).
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Starts a scripted service for one test, and a client for it. */
async function start(script: Behavior[], options: Partial<PlantStoreOptions> = {}) {
  const { url, requests, close } = await startScriptedService(...script);
  onTestFinished(close);
  return { store: createPlantStore({ baseUrl: url, token: 'plants_abc', ...options }), requests };
}

describe('over HTTP, with Node’s fetch', () => {
  test('a request conforms to the contract, and additional properties of its response are dropped', async () => {
    const { store, requests } = await start([
      { status: 200, body: JSON.stringify({ ...WHOLE, created: 'now' }) },
    ]);
    expect(await store.createPlant(PLANT)).toEqual(WHOLE);
    const headers = { authorization: 'Bearer plants_abc', 'content-type': 'application/json' };
    expect(requests).toMatchObject([{ method: 'POST', url: '/plants', headers, body: BODY }]);
  });

  test('an error has the number, the message and the request id, and no additional properties', async () => {
    const body = '{"error":40901,"message":"Taken.","documentation":"see"}';
    const { store } = await start([
      {
        status: 400,
        body,
        headers: { 'x-request-id': 'r-1', 'x-amzn-requestid': 'r-2', 'x-amz-apigw-id': 'r-3' },
      },
    ]);
    const error = await store.createPlant(PLANT).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlantStoreError);
    expect(error).toHaveProperty('message', 'Taken.');
    const fields = { error: 40901, status: 409, requestId: 'r-1', retryAfter: undefined, mayBeStored: false };
    expect({ ...(error as Error) }).toEqual({ name: 'PlantStoreError', ...fields });
  });

  test.each<[string, Behavior]>([
    ['a reset connection', 'reset'],
    ['a truncated response', 'half'],
    ['a refusal', refusal(42901, { 'retry-after': '0' })],
  ])('after %s the same body is retried', async (_, behavior) => {
    const { store, requests } = await start([behavior, SHADED]);
    expect(await store.createPlant(PLANT)).toEqual(WHOLE);
    expect(requests.map(({ body }) => body)).toEqual([BODY, BODY]);
  });

  test('an attempt without a response is abandoned, and the same body is retried', async () => {
    const { store, requests } = await start(['hang', SHADED], { attemptTimeoutMs: 200, timeoutMs: Infinity });
    expect(await store.createPlant(PLANT)).toEqual(WHOLE);
    // A slow machine may need more attempts.
    expect(requests.length).toBeGreaterThanOrEqual(2);
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set([BODY]));
  });

  test('a redirect is not followed, so the token is sent nowhere else', async () => {
    const { store, requests } = await start([{ status: 307, body: '', headers: { location: '/elsewhere' } }]);
    await expect(store.createPlant(PLANT)).rejects.toMatchObject({ error: 40000 });
    expect(requests.map(({ url }) => url)).toEqual(['/plants']);
  });

  test.each(['127.0.0.1', 'localhost'])('if nothing listens on %s, nothing was stored', async (host) => {
    const { url, close } = await startScriptedService(FERN);
    await close();
    const baseUrl = url.replace('127.0.0.1', host);
    const store = createPlantStore({ baseUrl, token: 'plants_abc', maxAttempts: 1 });
    const cause = { message: 'fetch failed', cause: { code: 'ECONNREFUSED' } };
    const error = { error: 50301, requestId: undefined, retryAfter: 2, mayBeStored: false, cause };
    await expect(store.createPlant(PLANT)).rejects.toMatchObject(error);
  });

  test('if the host has no address, nothing was stored', async () => {
    const store = createPlantStore({ baseUrl: 'http://plants.invalid', token: 'plants_abc', maxAttempts: 1 });
    const cause = { cause: { syscall: 'getaddrinfo' } };
    await expect(store.createPlant(PLANT)).rejects.toMatchObject({ error: 50301, mayBeStored: false, cause });
  });

  test('fifty concurrent calls with one signal cause no warning', async () => {
    const warnings: unknown[] = [];
    const note = (warning: unknown) => warnings.push(warning);
    process.on('warning', note);
    const { store, requests } = await start([FERN], { signal: new AbortController().signal });
    await Promise.all(Array.from({ length: 50 }, (_, id) => store.createPlant(plantOf(id))));
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(requests).toHaveLength(50);
    expect(warnings).toEqual([]);
  });
});
