/** `npm run lab -- providers`: tries real identity providers, by the steps of docs/identity-provider.md. */
import { runCommand, UsageError } from '../../cli/command-line.ts';
import { print } from '../../cli/print.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { startHydra } from './hydra.ts';
import { startKeycloak } from './keycloak.ts';
import type { Provider } from './provider.ts';
import { startSpring } from './spring.ts';
import { trials } from './trials.ts';

const PROVIDERS: Readonly<Record<string, (folder: string) => Promise<Provider>>> = {
  keycloak: startKeycloak,
  hydra: startHydra,
  spring: startSpring,
};
const NAMES = Object.keys(PROVIDERS);

await runCommand({
  usage: 'npm run lab -- providers [NAME...]',
  about: `Starts identity providers on this machine, follows the steps of docs/identity-provider.md, which it reads from the
page, and tries their tokens with the local service. Exits with 1 if one is not treated as expected.`,
  options: {},
  notes: `NAME is one of ${NAMES.join(', ')}.
They need a JDK from 17, Maven, Go and a C compiler. The providers come from Maven Central and the Go module proxy. All files go to a
temporary folder, and all servers listen on 127.0.0.1.`,
  operands: true,
  async main(_, chosen) {
    const unknown = chosen.find((name) => !NAMES.includes(name));
    if (unknown !== undefined)
      throw new UsageError(`There is no provider ${unknown}; --help shows the names.`);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => process.exit(130));
    let differing = 0;
    for (const name of chosen.length > 0 ? chosen : NAMES)
      differing += await tryProvider(name).catch((error: Error) => {
        print(`✗ ${name}: ${error.message}`);
        return 1;
      });
    print(differing === 0 ? '\nAll is as expected.' : `\nNot as expected: ${differing}.`);
    process.exit(differing === 0 ? 0 : 1);
  },
});

/** Prints the result of each trial. @returns how many are not as expected */
async function tryProvider(name: string): Promise<number> {
  print(`${name}: starting`);
  const provider = await PROVIDERS[name]?.(temporaryFolder());
  if (!provider) return 1;
  print(`${name} ${provider.version}`);
  let differing = 0;
  for await (const { trial, expected, found } of trials(provider)) {
    const isAsExpected = found === expected;
    differing += isAsExpected ? 0 : 1;
    print(`${isAsExpected ? '✓' : '✗'} ${trial}: ${found}${isAsExpected ? '' : ` (expected: ${expected})`}`);
  }
  await provider.end();
  return differing;
}
