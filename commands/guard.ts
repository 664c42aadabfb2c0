/** `npm run guard`: finds what a deployment could lose. */

import { runCommand } from '../cli/command-line.ts';
import { oneLine, print } from '../cli/print.ts';
import { findStage } from '../infra/find-stage.ts';
import { checkGuardValues, GUARD_OPTIONS } from '../operate/guard/options.ts';

await runCommand({
  script: 'guard',
  usage: '--stage NAME [--allow IDS] [--first] [--app FOLDER] [--commit COMMIT]',
  about: `Compares the deployed template of a stage with the new one. Lists each resource that would be removed, and each change
that is not known to keep data, addresses and protections. Says which is newer, the deployed commit or the working copy, and refuses
a working copy without the deployed commit. npm run deploy does the same before it deploys.`,
  options: { stage: { value: 'NAME', about: 'the stage' }, ...GUARD_OPTIONS },
  notes: `Accepts each loss that \`acceptedLosses\` of the stage names, and warns of an entry that matches nothing. Uses the
credentials and the Region of the environment, or the stage's own Region if it has one.
Exit codes: 0 if nothing would be lost or everything listed is accepted, 1 if something could be lost or cannot be compared, 2 if
the command is invalid.`,
  async main({ stage, ...accepted }) {
    const found = findStage(stage);
    checkGuardValues(accepted);
    const { compareStage } = await import('../operate/guard/compare-stage.ts');
    const { finishedTemplate } = await import('../operate/guard/templates.ts');
    const { findStack } = await import('../operate/shared/deployed-stack.ts');
    const newTemplate = finishedTemplate(found, accepted);
    const { lines, isRefused } = await compareStage(found, await findStack(found), accepted, { newTemplate });
    print(lines.map(oneLine).join('\n'));
    return !isRefused;
  },
});
