import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { bodyOf, LEAST } from '../../contract/examples.ts';
import { operations } from '../../lambda/operations.ts';
import { makeService } from '../../lambda/service.ts';
import type { AcceptMore } from '../../lambda/tokens/access-token-table.ts';
import { formatToken } from '../../lambda/tokens/token-format.ts';
import { overScript, startOperation } from '../support/function-under-test.ts';
import { ScriptedStore } from '../support/scripted-store.ts';
import { plantEvent } from '../support/test-service.ts';

test('the entry point connects without a line in the log, creates a plant, and logs an object to console.info for the runtime to wrap', async () => {
  const stub = await ScriptedStore.start();
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', stub.endpoint);
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'local');
  vi.stubEnv('PLANTS_TABLE', 'Plants');
  vi.stubEnv('ACCESS_TOKENS_TABLE', 'AccessTokens');
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
  vi.stubEnv('ALLOWED_ORIGINS', 'https://a.example https://b.example');
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
  // The module reads the environment when it is loaded.
  vi.resetModules();
  const { connect, handler } = await import('../../lambda/handler.ts');
  await connect();
  expect(info).not.toHaveBeenCalled();
  const token = formatToken(new Uint8Array(32));
  // The runtime sets this one for each invocation.
  vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1');
  const headers = { authorization: `Bearer ${token}`, origin: 'https://b.example' };
  const response = await handler(plantEvent(token, bodyOf(1), { headers }), {});
  await stub.close();
  expect(response).toMatchObject({ statusCode: 200, body: JSON.stringify(LEAST) });
  expect(response.headers).toHaveProperty('access-control-allow-origin', 'https://b.example');
  // The lookup of `connect` is not remembered.
  expect(stub.attempts).toMatchObject({ GetItem: 2, PutItem: 1 });
  const trace = '1-5759e988-bd862e3fe1be46a994272793';
  const line = { outcome: 'created', version: '7', trace, coldStart: true };
  expect(info.mock.calls).toEqual([[expect.objectContaining(line)]]);
});

test('a failure of the service is logged to console.error, for the level ERROR', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
  await overScript({}, async (client) => {
    const { handler } = makeService(process.env, client, []);
    await handler(plantEvent(formatToken(new Uint8Array(32)), bodyOf(1)), {
      getRemainingTimeInMillis: () => 1_000,
    });
    await handler(plantEvent('', bodyOf(1)), {});
  });
  expect(error.mock.calls).toEqual([[expect.objectContaining({ outcome: 'failed', error: 50301 })]]);
  expect(info.mock.calls).toEqual([[expect.objectContaining({ outcome: 'refused', error: 40101 })]]);
});

test('what else connects is waited for, gets the client of the function, and may fail', async () => {
  const environment = { PLANTS_TABLE: 'Plants', ACCESS_TOKENS_TABLE: 'AccessTokens' };
  await overScript({}, async (client, store) => {
    const clients: unknown[] = [];
    const fails = async () => Promise.reject(new Error('no connection'));
    const connects = async (given: unknown) => {
      await setImmediate();
      clients.push(given);
    };
    await makeService(environment, client, [], [fails, connects]).connect();
    expect([clients, store.attempts.GetItem]).toEqual([[client], 1]);
  });
});

test('without the name of a table, the function does not start', async () => {
  vi.stubEnv('ACCESS_TOKENS_TABLE', '');
  vi.resetModules();
  const start = import('../../lambda/handler.ts');
  await expect(start).rejects.toThrow('The environment variable ACCESS_TOKENS_TABLE is not set.');
});

test('what accepts more tokens finds the names of its own, and leaves the others to the table', async () => {
  const accept: AcceptMore = (finder) => {
    const table = finder();
    return {
      find: async (token, calls) => (token === 'ours' ? 'a colleague' : table.find(token, calls)),
    };
  };
  await overScript({}, async (client) => {
    const { handler, lines } = startOperation(operations(process.env, client, [accept]));
    await handler(plantEvent('ours', bodyOf(1)));
    await handler(plantEvent('theirs', bodyOf(1)));
    expect(lines).toMatchObject([
      { outcome: 'created', token: 'a colleague' },
      { outcome: 'refused', error: 40102, fault: 'malformed token' },
    ]);
  });
});
