import tls from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { makeCertificate, trustedCertificate } from '../../test/support/certificate.ts';
import { listen } from '../../test/support/listen.ts';
import { createPlantStore, PlantStoreError, type PlantStoreOptions } from '../src/index.ts';
import { type Behavior, FERN, plantOf, refusal, startScriptedService } from './scripted-service.ts';

const PLANT = plantOf(9007199254740993n, WHOLE);
const SHADED = { status: 200, body: JSON.stringify(WHOLE) };
const BODY = bodyOf(9007199254740993n, WHOLE);

/** Starts a scripted service for one test, and a client for it. */
async function start(script: Behavior[], options: Partial<PlantStoreOptions> = {}) {
  const { url, requests, close } = await startScriptedService(...script);
  onTestFinished(close);
  return { url, store: createPlantStore({ baseUrl: url, token: 'plants_abc', ...options }), requests };
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

  describe('nothing was sent', () => {
    /** Starts a server that counts what comes through TLS. @returns its port */
    async function startTls(certificate: ReturnType<typeof makeCertificate>) {
      const server = tls.createServer(certificate, (socket) => {
        socket.on('error', () => undefined).on('data', () => expect.unreachable('something was sent'));
      });
      onTestFinished(() => void server.close());
      return new URL(await listen(server)).port;
    }
    async function closedPort() {
      const { url, close } = await startScriptedService(FERN);
      await close();
      return new URL(url).port;
    }
    test.each<[string, () => Promise<string>, object]>([
      ['nothing listens', async () => `http://127.0.0.1:${await closedPort()}`, { code: 'ECONNREFUSED' }],
      [
        'nothing listens on either address of localhost',
        async () => `http://localhost:${await closedPort()}`,
        { code: 'ECONNREFUSED' },
      ],
      ['the host has no address', async () => 'http://plants.invalid', { syscall: 'getaddrinfo' }],
      ['fetch blocks the port', async () => 'http://127.0.0.1:9', { message: 'bad port' }],
      [
        'the certificate is self-signed',
        async () => `https://127.0.0.1:${await startTls(makeCertificate())}`,
        { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      ],
      [
        'the certificate is for another name',
        async () => `https://localhost:${await startTls(trustedCertificate())}`,
        { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      ],
      [
        'the server speaks no TLS',
        async () => (await start([FERN])).url.replace('http', 'https'),
        { code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
      ],
    ])('if %s', async (_, address, reason) => {
      const store = createPlantStore({ baseUrl: await address(), token: 'plants_abc', maxAttempts: 1 });
      const message = expect.stringContaining('check the base URL');
      const error = { error: 50301, message, retryAfter: 2, mayBeStored: false, cause: { cause: reason } };
      await expect(store.createPlant(PLANT)).rejects.toMatchObject(error);
    });
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
