import { startVitest } from 'vitest/node';
import { runCommand } from '../cli/command-line.ts';
import { ROOT } from '../test/support/project.ts';

/**
 * Runs tests that `npm test` does not run, as the command `npx node .ci/NAME/run.ts`. The exit code says whether they passed.
 * @param tests their files, as a pattern of Vitest
 * @param install what they need besides `npm ci`
 */
export async function runTrial(name: string, about: string, tests: string, install: () => void) {
  await runCommand({
    usage: `npx node .ci/${name}/run.ts [--reporter NAME]`,
    about,
    options: { reporter: { value: 'NAME', about: 'how Vitest prints the tests', default: 'default' } },
    async main({ reporter }) {
      install();
      await startVitest('test', [], {
        root: ROOT,
        config: false,
        watch: false,
        include: [`.ci/${name}/${tests}`],
        globalSetup: 'test/support/global-setup.ts',
        setupFiles: 'test/support/loopback-only.ts',
        reporters: [reporter],
        // As many as the cores that CI has.
        maxConcurrency: 2,
        // Only for a test that hangs: no result may depend on the machine's speed.
        testTimeout: 900_000,
        hookTimeout: 900_000,
      });
    },
  });
}
