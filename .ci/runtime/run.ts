/** `npx node .ci/runtime/run.ts`: builds AWS's runtime client on first use, then runs the trial. */
import { runCommand } from '../../cli/command-line.ts';
import { runTrial } from '../run-trial.ts';
import { installClient } from './install-client.ts';

await runCommand({
  usage: 'npx node .ci/runtime/run.ts [--reporter NAME]',
  about: "Starts the deployed asset as Lambda does, under AWS's Lambda runtime client.",
  options: { reporter: { value: 'NAME', about: 'how Vitest prints the tests', default: 'default' } },
  async main({ reporter }) {
    installClient();
    await runTrial('.ci/runtime/*.runtime.ts', reporter);
  },
});
