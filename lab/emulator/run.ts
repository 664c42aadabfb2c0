/** `npm run lab -- emulator NAME`: deploys stages to an emulator, and uses them. lab/evidence.md says what this can show. */
import { readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { parse } from 'yaml';
import { runCommand, UsageError } from '../../cli/command-line.ts';
import { oneLine, print } from '../../cli/print.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { commandsFor } from './commands.ts';
import { EMULATORS, type EmulatorName, startEmulator } from './emulator.ts';
import { refuseOpenPorts } from './open-ports.ts';
import './stage-addresses.ts';
import { type Statement, trial } from './trial.ts';

const REGION = 'eu-west-1';

const NAMES = Object.keys(EMULATORS).join(' | ');

await runCommand({
  script: 'lab',
  verb: 'emulator',
  usage: NAMES,
  about: `Deploys stages to an emulator, and uses them with the project's commands. Fails unless exactly the statements of
its expected-failures.yaml do not hold, and if other machines can reach it. Functions of localstack run under AWS's runtime client.`,
  options: {},
  operands: true,
  notes: `Needs Python 3.13, or 3.12 (the variable PYTHON names its command), what the trial "runtime" needs, openssl, npm and PyPI.

Exit codes: 0 if all is as expected, 1 if not, or if something is missing, 2 if the command is invalid.`,
  async main(_, [name = '', ...extra]) {
    if (!Object.hasOwn(EMULATORS, name) || extra.length > 0) throw new UsageError(`Name one of ${NAMES}.`);
    const folder = temporaryFolder();
    const { endpoint, variables } = await startEmulator(name as EmulatorName, folder);
    useOnly(endpoint);
    Object.assign(process.env, variables);
    tls.setDefaultCACertificates([readFileSync(variables.NODE_EXTRA_CA_CERTS, 'utf8')]);
    const commands = commandsFor(folder);
    await commands.cdk('bootstrap', `aws://000000000000/${REGION}`);
    const statements: Statement[] = [];
    for await (const statement of trial(commands, folder, name as EmulatorName)) {
      statements.push(statement);
      const { name, holds, isRule } = statement;
      if (!holds || !isRule) print(`${holds ? '✓' : '✗'} ${name}`);
    }
    refuseOpenPorts();
    // Then what the emulator has started ends, too.
    process.exit(report(name, statements) ? 0 : 1);
  },
});

/** Replaces all settings of AWS's tools, so that no command can reach an account. */
function useOnly(endpoint: string): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  });
}

/** Prints the counts, and what is not as expected. @returns whether all is */
function report(emulator: string, statements: readonly Statement[]): boolean {
  const file = path.join(import.meta.dirname, emulator, 'expected-failures.yaml');
  const expected: { statements: string[] }[] = parse(readFileSync(file, 'utf8'));
  const failed = new Map(
    statements.filter(({ holds }) => !holds).map(({ name, reason }) => [name, reason ?? 'no reason given']),
  );
  const [all, count] = [statements.length, failed.size];
  print(`\n${all} statements: ${all - count} hold, ${count} do not.`);
  const listed = new Set(expected.flatMap((each) => each.statements));
  const found = [
    ...[...failed]
      .filter(([name]) => !listed.has(name))
      .map(([name, reason]) => `does not hold: ${name}: ${oneLine(reason).slice(0, 300)}`),
    ...[...listed].filter((name) => !failed.has(name)).map((name) => `holds, or was not tested: ${name}`),
  ];
  print(found.length === 0 ? '\nAll is as expected.' : `\nNot as expected:\n  ${found.join('\n  ')}`);
  return found.length === 0;
}
