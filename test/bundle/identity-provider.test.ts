import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bodyOf } from '../../contract/examples.ts';
import { bundleFile } from '../support/function-under-test.ts';
import { AUDIENCE, startIdentityProvider } from '../support/identity-provider.ts';
import { plantEvent } from '../support/test-service.ts';
import { BUDGET, FORBIDDEN, observe, TO_RAISE } from './observe.ts';

test('the bundle has no code for an identity provider, which is also within its budgets where a stage has one', async () => {
  const bundle = bundleFile(['IDENTITY_PROVIDER']);
  const [without, bytes] = [readFileSync(await bundleFile()), readFileSync(await bundle)];
  for (const part of ['IDENTITY_PROVIDER', 'jwks_uri', 'openid-configuration', 'RS256'])
    expect([without.includes(part), bytes.includes(part)]).toEqual([false, true]);
  expect(bytes.length, TO_RAISE).toBeLessThanOrEqual(BUDGET.bundleBytes + 21_000);
  const provider = await startIdentityProvider(true);
  const token = await provider.grant();
  const variables = { IDENTITY_PROVIDER: JSON.stringify({ issuer: provider.issuer, audience: AUDIENCE }) };
  const event = plantEvent(token, bodyOf(1));
  const { statuses, lines, loaded, pending } = await observe([event], variables, { bundle });
  provider.close();
  expect(statuses).toEqual([200]);
  expect(loaded.filter((name) => FORBIDDEN.test(name))).toEqual([]);
  expect(pending).not.toContain('Timeout');
  expect(lines).toMatchObject([{ outcome: 'created', token: 'shop' }]);
  expect(token.split('.').filter((part) => JSON.stringify(lines).includes(part))).toEqual([]);
});
