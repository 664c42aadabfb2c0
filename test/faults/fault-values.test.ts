import { expect, test } from 'vitest';
import { FAULTS as OWN } from '../../lambda/faults.ts';
import { codeIn, sectionOf } from '../support/runbook.ts';
import { startTestService } from '../support/test-service.ts';
import { FAULTS } from './faults.ts';
import { startFixture } from './fixture.ts';

/** The pages with values. */
const PAGES = ['runbook-alarms', 'identity-provider-runbook'];
const documented = PAGES.map((page) => sectionOf(page, 'The values of fault'))
  .join('\n')
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
  'no key set: ECONNREFUSED',
  'no key set: status 503',
];

test('the runbook explains every value of fault, and no other', async () => {
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
  const values = new Set<string>([...OWN, ...logged, ...NOT_TRIED]);
  expect([...values].sort()).toEqual(documented.sort());
});
