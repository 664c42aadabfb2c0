import tls from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { listen } from '../../local/listen.ts';
import { makeCertificate, trustedCertificate } from '../../test/support/certificate.ts';
import { createPlantStore, PlantStoreError } from '../src/index.ts';
import { type Behavior, FERN, HALF, plantOf, startScriptedService } from './scripted-service.ts';

const PLANT = plantOf(9007199254740993n, WHOLE);
const SHADED = { status: 200, body: JSON.stringify(WHOLE) };
const BODY = bodyOf(9007199254740993n, WHOLE);

/** Starts a scripted service for one test, and a client for it. */
async function start(...script: Behavior[]) {
  const { url, requests, close } = await startScriptedService(...script);
  onTestFinished(close);
  return { url, store: createPlantStore({ baseUrl: url, token: 'plants_abc' }), requests };
}

describe('over HTTP, with Node’s fetch', () => {
  test('a request conforms to the contract, and additional properties of its response are dropped', async () => {
    const { store, requests } = await start({
      status: 200,
      body: JSON.stringify({ ...WHOLE, addedLater: 'now' }),
    });
    expect(await store.createPlant(PLANT)).toEqual(WHOLE);
    const headers = { authorization: 'Bearer plants_abc', 'content-type': 'application/json' };
    expect(requests).toMatchObject([{ method: 'POST', url: '/plants', headers, body: BODY }]);
  });

  test('an error has the number, the message and the request id, and no additional properties', async () => {
    const body = '{"error":40901,"message":"Taken.","documentation":"see"}';
    const headers = { 'x-request-id': 'r-1', 'x-amzn-requestid': 'r-2', 'x-amz-apigw-id': 'r-3' };
    const { store } = await start({ status: 400, body, headers });
    const error = await store.createPlant(PLANT).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlantStoreError);
    expect(error).toHaveProperty('message', 'Taken.');
    const fields = { error: 40901, status: 409, requestId: 'r-1', retryAfter: undefined, mayBeStored: false };
    expect({ ...(error as Error) }).toEqual({ name: 'PlantStoreError', ...fields });
  });

  test.each<[string, Behavior]>([
    ['a reset connection', 'reset'],
    ['a truncated response', { ...HALF, ending: 'breaks' }],
  ])('after %s the same body is retried', async (_, behavior) => {
    const { store, requests } = await start(behavior, SHADED);
    expect(await store.createPlant(PLANT)).toEqual(WHOLE);
    expect(requests.map(({ body }) => body)).toEqual([BODY, BODY]);
  });

  test('a redirect is not followed, so the token is sent nowhere else', async () => {
    const { store, requests } = await start({ status: 307, body: '', headers: { location: '/elsewhere' } });
    await expect(store.createPlant(PLANT)).rejects.toMatchObject({ error: 40000 });
    expect(requests.map(({ url }) => url)).toEqual(['/plants']);
  });

  /** Starts a server behind TLS, which must not get anything. @returns its port */
  async function startTls(certificate: ReturnType<typeof makeCertificate>) {
    const server = tls.createServer(certificate, (socket) => {
      socket.on('error', () => undefined).on('data', () => expect.unreachable('something was sent'));
    });
    onTestFinished(() => void server.close());
    return new URL(await listen(server)).port;
  }
  const withoutTls = async () => new URL((await start(FERN)).url).port;
  async function closed() {
    const { url, close } = await startScriptedService(FERN);
    await close();
    return new URL(url).port;
  }
  const selfSigned = () => startTls(makeCertificate());
  const ofOtherName = () => startTls(trustedCertificate());

  test.each<[string, string, () => unknown, object]>([
    ['nothing listens', 'http://127.0.0.1', closed, { code: 'ECONNREFUSED' }],
    ['nothing listens on two addresses', 'http://localhost', closed, { code: 'ECONNREFUSED' }],
    ['the host has no address', 'http://plants.invalid', () => 80, { syscall: 'getaddrinfo' }],
    ['fetch blocks the port', 'http://127.0.0.1', () => 9, { message: 'bad port' }],
    ['TLS is self-signed', 'https://127.0.0.1', selfSigned, { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
    ['TLS has another name', 'https://localhost', ofOtherName, { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
    ['there is no TLS', 'https://127.0.0.1', withoutTls, { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
  ])('if %s, nothing was stored', async (_, host, port, reason) => {
    const baseUrl = `${host}:${await port()}`;
    const store = createPlantStore({ baseUrl, token: 'plants_abc', maxAttempts: 1 });
    const message = expect.stringContaining('check the base URL');
    const error = { error: 50301, message, mayBeStored: false, cause: { cause: reason } };
    await expect(store.createPlant(PLANT)).rejects.toMatchObject(error);
  });
});
