/** `npx node .ci/runtime/run.ts`: builds AWS's runtime client on first use, then runs the trial. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { runCommand } from '../../cli/command-line.ts';
import { ROOT } from '../installation.ts';
import { installClient } from './install-client.ts';

await runCommand(
  {
    usage: 'npx node .ci/runtime/run.ts [--reporter NAME]',
    about: "Starts the deployed asset as Lambda does, under AWS's Lambda runtime client.",
    options: { reporter: { value: 'NAME', about: 'how Vitest prints the tests', default: 'default' } },
  },
  async ({ reporter }) => {
    installClient();
    const config = path.join(import.meta.dirname, 'vitest.config.ts');
    const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--config', config, '--reporter', reporter];
    const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
    process.exitCode = status ?? 1;
  },
);
