/** `npm run may-deploy`: what the workflow on GitHub checks before it deploys. */
import { runCommand } from '../terminal/command-line.ts';
import { oneLine, print } from '../terminal/print.ts';
import { checkApproval, WITHOUT_APPROVAL } from './github/approval.ts';
import { checkCommit } from './github/deployed-commit.ts';
import { currentRun } from './github/repository.ts';
import { stageNamed } from './stage/stage-option.ts';

await runCommand(
  {
    usage: 'npm run may-deploy -- --stage NAME',
    about: `Refuses a deployment by the workflow on GitHub if nobody has to approve the stage although it is protected, or if
the commit is older than the deployed one.`,
    options: {
      stage: { value: 'NAME', about: 'the stage, which is also the name of the environment on GitHub' },
    },
    notes: `Needs the variables that GitHub sets for a step, and a token in GH_TOKEN. With the name of
the stage in ${WITHOUT_APPROVAL}, it may be deployed without an approval. Deployments by hand are not known to GitHub.

Exit codes: 0 if the stage may be deployed, 1 if refused or failed, 2 if the command is invalid.`,
  },
  async ({ stage: name }) => {
    const stage = stageNamed(name);
    const run = currentRun(process.env);
    print(oneLine(await checkApproval(run, stage, process.env[WITHOUT_APPROVAL])));
    print(oneLine(await checkCommit(run, stage.name)));
  },
);
