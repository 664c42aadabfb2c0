import type { HttpRequest } from '@smithy/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BufferingHttpHandler } from '../../../lambda/store/buffering-http-handler.ts';
import { type Act, ok } from '../../support/acts.ts';
import { ScriptedStore } from '../../support/scripted-store.ts';

// Every fault by which a store can fail is tested in store.test.ts, and all their combinations in the fault matrix.

let stub: ScriptedStore | undefined;
const handler = new BufferingHttpHandler();
beforeEach(() => {
  stub = undefined;
});
afterEach(() => stub?.close());

async function send(act: Act, changes: Partial<HttpRequest> = {}, abortSignal?: AbortSignal) {
  stub = await ScriptedStore.start({ script: { GetItem: [act] } });
  const { hostname, port } = new URL(stub.endpoint);
  const headers = { 'x-amz-target': 'DynamoDB_20120810.GetItem' };
  const request = {
    protocol: 'http:',
    hostname,
    port: Number(port),
    method: 'POST',
    path: '/',
    headers,
    body: '{}',
  };
  return handler.handle({ ...request, ...changes } as HttpRequest, abortSignal ? { abortSignal } : {});
}

describe('an answer comes whole', () => {
  test('status, headers and body', async () => {
    const { response } = await send(ok({ Item: {} }));
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({ 'content-type': 'application/x-amz-json-1.0' });
    expect(String(response.body)).toBe('{"Item":{}}');
  });

  test('an error of any media type is handed on', async () => {
    const { response } = await send({
      status: 500,
      body: '<html>',
      headers: { 'content-type': 'text/html' },
    });
    expect(response.statusCode).toBe(500);
  });
});

describe('a failure says whether the store may have received the request', () => {
  test.each(['reset', 'half'] as const)('%s: it may', async (act) => {
    await expect(send(act)).rejects.toMatchObject({ name: 'ConnectionError', isSent: true });
  });

  test('a refused connection: it has not', async () => {
    await expect(send(ok({}), { port: 9 })).rejects.toMatchObject({ message: 'ECONNREFUSED', isSent: false });
  });

  test('an abort before anything was sent: it has not', async () => {
    const failure = send(ok({}), {}, AbortSignal.abort());
    await expect(failure).rejects.toMatchObject({ message: 'deadline', isSent: false });
  });
});
