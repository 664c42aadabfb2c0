import { expect, test } from 'vitest';
import { obeyProxy } from './proxy.ts';

const HERE = 'localhost,127.0.0.1,::1,[::1]';
test.each([
  [{ HTTPS_PROXY: 'proxy:3128' }, { HTTPS_PROXY: 'http://proxy:3128', no_proxy: HERE }],
  [{ http_proxy: 'http://p', NO_PROXY: 'a' }, { no_proxy: `a,${HERE}` }],
  [{ HTTP_PROXY: 'http://p', NO_PROXY: '*' }, {}],
])('of %j, this becomes another: %j', async (before: NodeJS.ProcessEnv, changed) => {
  const env = { ...before };
  await obeyProxy(env);
  expect(env).toEqual({ ...before, ...changed });
});
