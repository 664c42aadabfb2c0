import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPlantStore, type PlantStoreError, type PlantStoreOptions } from '../../client/src/index.ts';
import {
  type Behaviour,
  FERN,
  refusal,
  type ScriptedService,
  startScriptedService,
} from './scripted-service.ts';

const PLANT = { id: 9007199254740993n, name: 'Fern', tag: 'shade' };
const BODY = '{"id":9007199254740993,"name":"Fern","tag":"shade"}';

let service: ScriptedService | undefined;
beforeEach(() => {
  // Without jitter, because test runs lengthen the pauses (test/support/every-process.ts).
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await service?.close();
  service = undefined;
});

/** Starts a scripted service and a client for it. */
async function start(script: Behaviour[], options: Partial<PlantStoreOptions> = {}) {
  service = await startScriptedService(...script);
  const store = createPlantStore({ baseUrl: service.url, token: 'plants_abc', ...options });
  return { store, requests: service.requests };
}

/** The error that a call is rejected with. */
async function errorOf(call: Promise<unknown>): Promise<PlantStoreError> {
  const [{ reason }] = (await Promise.allSettled([call])) as [PromiseRejectedResult];
  return reason;
}

describe('over HTTP, with the fetch of Node', () => {
  test('a request conforms to the contract, and additional properties of its answer are dropped', async () => {
    const { store, requests } = await start([
      { status: 200, body: '{"name":"Fern","tag":"shade","created":"now"}' },
    ]);
    expect(await store.createPlant(PLANT)).toEqual({ name: 'Fern', tag: 'shade' });
    const headers = { authorization: 'Bearer plants_abc', 'content-type': 'application/json' };
    expect(requests).toMatchObject([{ method: 'POST', url: '/plants', headers, body: BODY }]);
  });

  test('an error has the number, the message and the request id, and no additional properties', async () => {
    const body = '{"error":40901,"message":"Taken.","documentation":"see"}';
    const { store } = await start([{ status: 400, body, headers: { 'x-request-id': 'r-1' } }]);
    const error = await errorOf(store.createPlant(PLANT));
    expect(error).toBeInstanceOf(Error);
    expect({ ...error, message: error.message, cause: error.cause }).toEqual({
      name: 'PlantStoreError',
      error: 40901,
      status: 409,
      requestId: 'r-1',
      retryAfter: undefined,
      mayBeStored: false,
      message: 'Taken.',
      cause: undefined,
    });
  });

  test.each<[string, Behaviour]>([
    ['a reset connection', 'reset'],
    ['a truncated answer', 'half'],
    ['a refusal', refusal(42901, { 'retry-after': '0' })],
  ])('after %s the same body is sent again', async (_, behaviour) => {
    const { store, requests } = await start([behaviour, FERN]);
    expect(await store.createPlant(PLANT)).toEqual({ name: 'Fern' });
    expect(requests.map(({ body }) => body)).toEqual([BODY, BODY]);
  });

  test('an attempt without an answer is abandoned, and the same body is sent again', async () => {
    const { store, requests } = await start(['hang', FERN], { attemptTimeoutMs: 200, timeoutMs: Infinity });
    expect(await store.createPlant(PLANT)).toEqual({ name: 'Fern' });
    // A slow machine may need more attempts.
    expect(requests.length).toBeGreaterThanOrEqual(2);
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set([BODY]));
  });

  test('a redirect is not followed, so the token is sent nowhere else', async () => {
    const { store, requests } = await start([{ status: 307, body: '', headers: { location: '/elsewhere' } }]);
    expect(await errorOf(store.createPlant(PLANT))).toMatchObject({ error: 40000 });
    expect(requests.map(({ url }) => url)).toEqual(['/plants']);
  });

  test('if the connection is refused, the error has the reason as its cause', async () => {
    const { store } = await start([FERN], { maxAttempts: 1 });
    await service?.close();
    service = undefined;
    const error = await errorOf(store.createPlant(PLANT));
    expect(error).toMatchObject({ error: 50401, requestId: undefined, retryAfter: 2, mayBeStored: true });
    expect(error.cause).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
  });

  test('fifty concurrent calls with one signal cause no warning', async () => {
    const warnings: unknown[] = [];
    const note = (warning: unknown) => warnings.push(warning);
    process.on('warning', note);
    const { store, requests } = await start([FERN], { signal: new AbortController().signal });
    await Promise.all(Array.from({ length: 50 }, (_, id) => store.createPlant({ id, name: 'Fern' })));
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(requests).toHaveLength(50);
    expect(warnings).toEqual([]);
  });
});
