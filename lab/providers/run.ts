/** `npm run lab -- providers`: tries real identity providers, by the steps of docs/identity-provider.md. */
import { runCommand } from '../../cli/command-line.ts';
import { print } from '../../cli/print.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { runTrials } from '../run-trials.ts';
import { startHydra } from './hydra.ts';
import { startKeycloak } from './keycloak.ts';
import type { Provider } from './provider.ts';
import { startSpring } from './spring.ts';
import { trials } from './trials.ts';

const PROVIDERS = Object.entries({ keycloak: startKeycloak, hydra: startHydra, spring: startSpring }).map(
  ([name, start]) => ({
    name,
    about: 'starting',
    run: async () => tryProvider(await start(temporaryFolder())),
  }),
);

await runCommand({
  usage: 'npm run lab -- providers [NAME...]',
  about: `Starts identity providers on this machine, follows the steps of docs/identity-provider.md, which it reads from the
page, and tries their tokens with the local service. Exits with 1 if one is not treated as expected.`,
  options: {},
  notes: `NAME is one of ${PROVIDERS.map(({ name }) => name).join(', ')}.
They need a JDK from 17, Maven, Go and a C compiler. The providers come from Maven Central and the Go module proxy. All files go to a
temporary folder, and all servers listen on 127.0.0.1.`,
  operands: true,
  // A provider that failed may not have ended.
  main: async (_, chosen) => process.exit((await runTrials(PROVIDERS, chosen)) ? 0 : 1),
});

/** Prints the result of each trial. @throws Error if one is not as expected */
async function tryProvider(provider: Provider): Promise<void> {
  print(`${provider.name} ${provider.version}`);
  let differing = 0;
  for await (const [trial, expected, found] of trials(provider)) {
    const isAsExpected = found === expected;
    differing += isAsExpected ? 0 : 1;
    print(`${isAsExpected ? '✓' : '✗'} ${trial}: ${found}${isAsExpected ? '' : ` (expected: ${expected})`}`);
  }
  await provider.end();
  if (differing > 0) throw new Error(`${differing} results are not as expected.`);
}
