/** `npm run audit`: checks the dependencies with the registry's data. If the registry does not answer, says so. */
import { execFile } from 'node:child_process';
import { PlainError } from '../local/plain-error.ts';
import { runCommand } from './command-line.ts';

interface Check {
  readonly name: string;
  readonly args: readonly string[];
  /** @returns the findings; undefined if the registry's answer cannot be parsed */
  read(output: string): { bad: number; sentence: string } | undefined;
}

const CHECKS: readonly Check[] = [
  { name: 'known vulnerabilities', args: ['audit', '--json', '--audit=true'], read: readVulnerabilities },
  { name: 'signatures', args: ['audit', 'signatures', '--json'], read: readSignatures },
];
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
    let bad = 0;
    for (const { name, args, read } of CHECKS) {
      const result = read(await npm(args));
      console.info(`${name}: ${result?.sentence ?? 'unknown, because the registry does not answer'}`);
      bad += result?.bad ?? 0;
    }
    if (bad > 0) throw new PlainError('There are findings; docs/dependency-policy.md says what to do.');
  },
);

/** @returns npm's output, whatever its exit code: npm fails if it has findings */
function npm(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('npm', args, { timeout: PATIENCE, maxBuffer: 2 ** 26 }, (_error, output) => resolve(output));
  });
}

/** Counts vulnerabilities of level high or critical as bad; the others are only reported. */
function readVulnerabilities(output: string): ReturnType<Check['read']> {
  const counts = parsed(output)?.metadata as { vulnerabilities?: Record<string, number> } | undefined;
  if (!counts?.vulnerabilities) return undefined;
  const { total = 0, high = 0, critical = 0 } = counts.vulnerabilities;
  return { bad: high + critical, sentence: `${total}, of which ${high + critical} high or critical` };
}

function readSignatures(output: string): ReturnType<Check['read']> {
  const { invalid, missing } = (parsed(output) ?? {}) as { invalid?: unknown[]; missing?: unknown[] };
  if (!invalid || !missing) return undefined;
  return { bad: invalid.length, sentence: `${invalid.length} invalid, ${missing.length} missing` };
}

function parsed(output: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
