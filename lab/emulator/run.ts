/** `npm run lab -- emulator`: deploys stages to ministack, an emulator of AWS, and uses them. lab/evidence.md says what this can show. */
import { readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { parse } from 'yaml';
import { runCommand } from '../../cli/command-line.ts';
import { oneLine, print } from '../../cli/print.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { commandsFor } from './commands.ts';
import { REGION, startEmulator } from './emulator.ts';
import { refuseOpenPorts } from './open-ports.ts';
import './stage-addresses.ts';
import { type Statement, trial } from './trial.ts';

await runCommand({
  script: 'lab',
  verb: 'emulator',
  usage: '',
  about: `Deploys stages to ministack, an emulator of AWS, and uses them with the project's commands. Fails unless exactly the
statements of expected-failures.yaml do not hold, and if other machines can reach it.`,
  options: {},
  notes: `Needs Python 3.13, or 3.12 (the variable PYTHON names its command), npm and PyPI.

Exit codes: 0 if all is as expected, 1 if not, or if something is missing, 2 if the command is invalid.`,
  async main() {
    const folder = temporaryFolder();
    const { endpoint, variables } = await startEmulator(folder);
    useOnly(endpoint);
    Object.assign(process.env, variables);
    tls.setDefaultCACertificates([readFileSync(variables.NODE_EXTRA_CA_CERTS, 'utf8')]);
    const commands = commandsFor(folder);
    await commands.cdk('bootstrap', `aws://000000000000/${REGION}`);
    const statements: Statement[] = [];
    for await (const statement of trial(commands, folder)) {
      statements.push(statement);
      const { name, holds, isRule } = statement;
      if (!holds || !isRule) print(`${holds ? '✓' : '✗'} ${name}`);
    }
    refuseOpenPorts();
    // Then what the emulator has started ends, too.
    process.exit(report(statements) ? 0 : 1);
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
function report(statements: readonly Statement[]): boolean {
  const file = path.join(import.meta.dirname, 'expected-failures.yaml');
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
