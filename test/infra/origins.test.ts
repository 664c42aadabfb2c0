import { expect, test } from 'vitest';
import { originProblem } from '../../infra/origins.ts';

test.each(['https://app.example.com:8443', 'http://localhost', 'http://127.0.0.1:5173', 'http://[::1]:5173'])(
  '%s is an origin',
  (origin) => {
    expect(originProblem([origin], true)).toBeUndefined();
  },
);

test.each([
  ['http for another machine', 'http://app.example.com'],
  ['a hostname that begins with localhost', 'http://localhost.example.com'],
  ['a slash at the end', 'https://app.example.com/'],
  ['upper case', 'https://App.example.com'],
  ['the default port', 'https://app.example.com:443'],
  ['a port that is out of range', 'https://app.example.com:65536'],
  ['an IP address with a leading zero', 'https://192.0.2.07'],
  ['a wildcard for subdomains', 'https://*.example.com'],
  ['a quote, which would end a literal of the gateway', "https://app'.example.com"],
  ['a line break', 'https://app.example.com\n'],
  ['the opaque origin', 'null'],
])('%s is refused', (_, origin) => {
  expect(originProblem(['https://app.example.com', origin], false)).toEqual({
    value: origin,
    mustBe: expect.stringMatching(/^an origin as browsers send it, such as https:/),
  });
});

test.each([
  [['*'], false, undefined],
  [['*'], true, 'a list of origins, because the stage is protected'],
  [['*', 'https://app.example.com'], false, 'either "*" alone or a list of origins'],
  [[], false, 'a list with at least one origin, or absent'],
])('%j with isProtected %s: %s', (origins, isProtected, mustBe) => {
  expect(originProblem(origins, isProtected)?.mustBe).toBe(mustBe);
});
