import { describe, expect, test, vi } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import { createPlantStore, type PlantStoreOptions } from '../src/index.ts';
import { plantOf } from './scripted-service.ts';

const BASE = { baseUrl: 'https://plants.example', token: 'plants_secret' };

test.each([
  ['https://plants.example', 'https://plants.example/plants'],
  ['https://plants.example/prod/', 'https://plants.example/prod/plants'],
  ['http://127.0.0.1:3000//', 'http://127.0.0.1:3000/plants'],
  ['https://plants.example/my-plants', 'https://plants.example/my-plants/plants'],
])('requests for %s go to %s', async (baseUrl, expected) => {
  const fetch = vi.fn(async (_url: unknown) => Response.json(LEAST));
  for (const given of [baseUrl, new URL(baseUrl)])
    await createPlantStore({ ...BASE, baseUrl: given, fetch }).createPlant(plantOf(1));
  expect(fetch.mock.calls.map(([url]) => url)).toEqual([expected, expected]);
});

test('where there is no TextDecoder, the package can be loaded, and a client says so', async () => {
  vi.stubGlobal('TextDecoder', undefined);
  vi.resetModules();
  const { createPlantStore: create } = await import('../src/index.ts');
  expect(() => create(BASE)).toThrow(/^This environment has no TextDecoder, as jest-environment-jsdom /);
  vi.unstubAllGlobals();
});

describe('rejected at once', () => {
  type Options = Partial<Record<keyof PlantStoreOptions, unknown>>;
  test.each<[string, Options, RegExp, typeof Error?]>([
    ['no base URL', { baseUrl: undefined }, /^baseUrl must be a whole http or https URL/],
    ['a base URL without a scheme', { baseUrl: 'me:secret@foo' }, /^baseUrl must be/],
    ['another protocol, and http: in the path', { baseUrl: 'ftp://a/http:' }, /^baseUrl must be/],
    ['a password', { baseUrl: 'https://me:secret@plants.example' }, /without a user name/],
    ['a query', { baseUrl: 'https://plants.example?stage=prod' }, /query/],
    ['/plants/', { baseUrl: new URL('http://a/prod/plants/') }, /the address before \/plants\.$/],
    ['no token', { token: undefined }, /token must be/],
    ['a token with a line end', { token: 'plants_secret\n' }, /token must be/],
    ['an onRetry that is no function', { onRetry: 5 }, /^onRetry must be a function\.$/],
    ['no time', { timeoutMs: 0 }, /^timeoutMs must be/, RangeError],
    ['no time for an attempt', { attemptTimeoutMs: 0 }, /^attemptTimeoutMs must be/, RangeError],
    ['a controller for its signal', { signal: new AbortController() }, /^signal must be an AbortSignal\.$/],
    ['half an attempt', { maxAttempts: 1.5 }, /^maxAttempts must be/, RangeError],
  ])('%s', (_, options, message, kind = TypeError) => {
    const create = () => createPlantStore({ ...BASE, ...options } as PlantStoreOptions);
    expect(create).toThrow(kind);
    expect(create).toThrow(message);
    expect(create).not.toThrow(/secret/);
  });
});
