/** `npm run audit`: checks the dependencies with the registry's data. */
import { execFile } from 'node:child_process';
import { PlainError } from '../infra/plain-error.ts';
import { runCommand } from './command-line.ts';

/** How long to wait for the registry, in milliseconds. */
const PATIENCE = 120_000;

await runCommand(
  {
    usage: 'npm run audit',
    about: 'Asks the registry for known vulnerabilities of the dependencies, and checks its signatures.',
    options: {},
    notes: 'Exit codes: 0 if there are no findings or the registry does not answer, 1 if there are findings.',
  },
  async () => {
    const findings = (await vulnerabilities()) + (await invalidSignatures());
    if (findings > 0) throw new PlainError('There are findings; docs/dependency-policy.md says what to do.');
  },
);

/** @returns the number of vulnerabilities of level high or critical; the others are only printed */
async function vulnerabilities(): Promise<number> {
  const { metadata } = await npm(['audit', '--json', '--audit=true']);
  const { total = 0, high = 0, critical = 0 } = metadata?.vulnerabilities ?? {};
  const counts = `${total}, of which ${high + critical} high or critical`;
  print('known vulnerabilities', metadata?.vulnerabilities && counts);
  return high + critical;
}

/** @returns the number of invalid signatures; packages without a signature are only printed */
async function invalidSignatures(): Promise<number> {
  const { invalid, missing } = await npm(['audit', 'signatures', '--json']);
  print('signatures', invalid && missing && `${invalid.length} invalid, ${missing.length} missing`);
  return invalid?.length ?? 0;
}

function print(name: string, counts: string | undefined): void {
  console.info(`${name}: ${counts ?? 'unknown, because the registry does not answer'}`);
}

interface Output {
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
  readonly invalid?: readonly unknown[];
  readonly missing?: readonly unknown[];
}

/** @returns npm's output, whatever its exit code: npm fails if it has findings; nothing if it is not JSON */
function npm(args: readonly string[]): Promise<Output> {
  return new Promise((resolve) => {
    execFile('npm', args, { timeout: PATIENCE, maxBuffer: 2 ** 26 }, (_error, output) => {
      try {
        resolve(JSON.parse(output) as Output);
      } catch {
        resolve({});
      }
    });
  });
}
