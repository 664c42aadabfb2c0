/** `npm run canary`: deploys a stage, and sends it requests meanwhile. */

import { EXIT, runCommand, UsageError } from '../cli/command-line.ts';
import { stageNamed } from './shared/stage-option.ts';

await runCommand(
  {
    usage: 'npm run canary -- --stage NAME [-- OPTION...]',
    about: `Deploys a stage as npm run deploy does, and sends requests to it until the deployment is over, so that a broken version
is noticed even if no client sends any.`,
    options: { stage: { value: 'NAME', about: 'the stage' } },
    notes: `OPTIONs are those of npm run deploy. The requests are checks of npm run verify that create one plant with a reserved
id. None is sent again. Each failure is printed and, if it had a response, the command that finds its cause in the logs. Throttled
checks (42901) are counted apart. No requests go to a stage that has no canary or is
not deployed yet. To stop a bad deployment: docs/deploy.md#roll-back-a-deployment

Exit codes: 0 if the stage was deployed, no check failed and not all were throttled, 1 if not, 2 if the command is invalid.
Ctrl-C before the deployment prevents it; later, it stops the CDK; CloudFormation goes on.`,
    operands: true,
  },
  async ({ stage: name }, options) => {
    const stage = stageNamed(name);
    if (options.some((option) => option.includes('stage=')))
      throw new UsageError('The CDK gets the stage of --stage: only --stage NAME selects it.');
    const { deployAndCheck } = await import('./canary/deploy-and-check.ts');
    if (!(await deployAndCheck(stage, options))) process.exitCode = EXIT.failed;
  },
);
