/** `npx node .ci/runtime/run.ts`: builds AWS's runtime client on first use, then runs the trial. */
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
    const { startVitest } = await import('vitest/node');
    await startVitest('test', [], {
      root: ROOT,
      config: false,
      watch: false,
      include: ['.ci/runtime/*.runtime.ts'],
      globalSetup: 'test/support/global-setup.ts',
      setupFiles: 'test/support/loopback-only.ts',
      reporters: [reporter],
      // Only for a test that hangs: no result may depend on the machine's speed.
      testTimeout: 900_000,
      hookTimeout: 900_000,
    });
  },
);
