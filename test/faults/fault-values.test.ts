import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeIn, sectionOf } from '../support/runbook.ts';
import { startTestService } from '../support/test-service.ts';
import { FAULTS } from './faults.ts';
import { startFixture } from './fixture.ts';

const root = new URL('../..', import.meta.url);
const documented = sectionOf('runbook-alarms', 'The values of fault')
  .split('\n- **')
  .filter((item) => item.startsWith('Values:'))
  .flatMap(codeIn);

/** Faults that the trials cannot cause: of ports, names, networks, credentials, and bugs. */
const NOT_TRIED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'CERT_HAS_EXPIRED',
  'CredentialsProviderError',
  'TypeError',
  // Of an identity provider (json-web-tokens.test.ts).
  ...['timeout', 'deadline', 'ECONNREFUSED', 'status 503'].map((why) => `no key set: ${why}`),
  ...['iss', 'aud', 'exp', 'nbf', 'iat'].map((claim) => `wrong ${claim}`),
];

test('the runbook explains every value of fault, and no other', async () => {
  // Where the code gives a fault a name of its own.
  const named = globSync('lambda/**/*.ts', { cwd: root }).flatMap((file) =>
    [
      ...readFileSync(new URL(file, root), 'utf8').matchAll(
        /(?:fault: |let name = |new Error\(|refused\(|ERR_\w+: |(noKeySet|fail)\()'([a-z_ -]+)'/gi,
      ),
    ].map(([, noKeySet, value]) => (noKeySet ? `no key set: ${value}` : value)),
  );
  const service = await startTestService();
  const { proxy, send, lines } = await startFixture(service);
  for (const { behavior } of FAULTS) {
    proxy.play({ PutItem: [behavior, behavior, behavior] });
    await send();
    // A fault of the connection needs a new one.
    proxy.closeConnections();
  }
  await proxy.close();
  await service.close();
  const logged = lines.flatMap(({ fault }) => fault ?? []);
  const values = new Set([...named, ...logged, ...NOT_TRIED]);
  expect([...values].sort()).toEqual(documented.sort());
});
