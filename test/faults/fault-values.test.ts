import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeIn, runbookSection, tableIn } from '../../infra/runbook.ts';
import { ScriptedStore } from '../support/scripted-store.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';
import { FAULTS } from './faults.ts';

const root = new URL('../../', import.meta.url);
const documented = tableIn(runbookSection('The values of fault')).flatMap(([values]) => codeIn(values));

/** Faults that end before a time limit is reached; those of the limits have names of our own. */
const QUICK_FAULTS = FAULTS.filter(({ name }) => !/hang|drips|after the attempt/.test(name));

/** Faults that the trials cannot cause: of names, networks, credentials, and bugs. */
const NOT_TRIED = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'CERT_HAS_EXPIRED',
  'CredentialsProviderError',
  'TypeError',
];

test('the runbook explains every value of fault, and no other', async () => {
  // Where the code gives a fault a name of its own.
  const named = globSync('lambda/**/*.ts', { cwd: root }).flatMap((file) =>
    [
      ...readFileSync(new URL(file, root), 'utf8').matchAll(
        /(?:fault: |let name = |new Error\()'([a-z -]+)'/g,
      ),
    ].map(([, value]) => value),
  );
  const service = await startTestService();
  const proxy = await ScriptedStore.start({ store: service.store.endpoint });
  const { handler, lines, token } = await startTestService({
    store: service.store,
    endpoint: proxy.endpoint,
  });
  for (const [index, { act }] of QUICK_FAULTS.entries()) {
    await proxy.play({ PutItem: [act, act, act] });
    await handler(plantEvent(token, `{"id":${8_000_000 + index},"name":"Fern"}`));
  }
  await proxy.close();
  await service.close();
  const logged = lines.flatMap(({ fault }) => fault ?? []);
  const values = new Set([...named, ...logged, ...NOT_TRIED]);
  expect(named.length).toBeGreaterThan(5);
  expect(logged.length).toBeGreaterThan(25);
  expect([...values].sort()).toEqual(documented.sort());
});
