import { describe, expect, test, vi } from 'vitest';
import { LEAST } from '../../contract/examples.ts';
import { createPlantStore, type PlantStoreOptions } from '../src/index.ts';
import { plantOf } from './scripted-service.ts';

const BASE = { baseUrl: 'https://plants.example', token: 'plants_secret' };

describe('the URL of a request', () => {
  test.each([
    ['https://plants.example', 'https://plants.example/plants'],
    ['https://plants.example/prod', 'https://plants.example/prod/plants'],
    ['https://plants.example/prod/', 'https://plants.example/prod/plants'],
    ['http://127.0.0.1:3000//', 'http://127.0.0.1:3000/plants'],
    ['https://plants.example/my-plants', 'https://plants.example/my-plants/plants'],
  ])('%s', async (baseUrl, expected) => {
    const fetch = vi.fn(async (_url: unknown) => Response.json(LEAST));
    for (const given of [baseUrl, new URL(baseUrl)])
      await createPlantStore({ ...BASE, baseUrl: given, fetch }).createPlant(plantOf(1));
    expect(fetch.mock.calls.map(([url]) => url)).toEqual([expected, expected]);
  });
});

describe('an invalid option is rejected at once', () => {
  test.each<[string, Partial<Record<keyof PlantStoreOptions, unknown>>, typeof Error, RegExp]>([
    ['no base URL', { baseUrl: undefined }, TypeError, /^baseUrl must be a whole http or https URL/],
    ['a base URL without a scheme', { baseUrl: 'me:secret@foo' }, TypeError, /^baseUrl must be/],
    ['another protocol', { baseUrl: 'ftp://plants.example' }, TypeError, /^baseUrl must be/],
    ['another protocol, and http: in the path', { baseUrl: 'ftp://a/http:' }, TypeError, /^baseUrl must be/],
    ['a password', { baseUrl: 'https://me:secret@plants.example' }, TypeError, /without a user name/],
    ['a query', { baseUrl: 'https://plants.example?stage=prod' }, TypeError, /query/],
    ['a fragment', { baseUrl: 'https://plants.example#top' }, TypeError, /fragment/],
    ['/plants', { baseUrl: 'http://a/plants' }, TypeError, /^baseUrl must be the address before \/plants\.$/],
    ['/plants/', { baseUrl: new URL('http://a/prod/plants/') }, TypeError, /the address before/],
    ['no token', { token: undefined }, TypeError, /token must be/],
    ['a token with a space', { token: 'plants secret' }, TypeError, /token must be/],
    ['a token with a line end', { token: 'plants_secret\n' }, TypeError, /token must be/],
    ['no time', { timeoutMs: 0 }, RangeError, /^timeoutMs must be a number over 0\.$/],
    ['a time in a string', { timeoutMs: '5000' }, RangeError, /^timeoutMs /],
    ['a time that is not a number', { attemptTimeoutMs: Number.NaN }, RangeError, /^attemptTimeoutMs /],
    ['no attempts', { maxAttempts: 0 }, RangeError, /^maxAttempts /],
    ['half an attempt', { maxAttempts: 1.5 }, RangeError, /^maxAttempts must be a whole number or Infinity/],
    ['a fetch that is no function', { fetch: {} }, TypeError, /^fetch must be a function\.$/],
    ['an onRetry that is no function', { onRetry: 5 }, TypeError, /^onRetry must be a function\.$/],
    ['a controller for its signal', { signal: new AbortController() }, TypeError, /^signal must be/],
  ])('%s', (_, options, kind, message) => {
    const create = () => createPlantStore({ ...BASE, ...options } as PlantStoreOptions);
    expect(create).toThrow(kind);
    expect(create).toThrow(message);
    expect(create).not.toThrow(/secret/);
  });

  test.each([
    [{ timeoutMs: -1 }, /^timeoutMs must be a number over 0/],
    [{ signal: 5 as never }, /^signal must be an AbortSignal\.$/],
  ])('of a call, too: %o', async (options, message) => {
    await expect(createPlantStore(BASE).createPlant(plantOf(1), options)).rejects.toThrow(message);
  });
});
