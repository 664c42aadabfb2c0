/** `npm run doctor`: shows a stage beside its template and its settings. It changes nothing. */

import { runCommand } from '../cli/command-line.ts';
import { oneLine, print, printError } from '../cli/print.ts';
import { findStage } from '../infra/find-stage.ts';

await runCommand({
  script: 'doctor',
  usage: '--stage NAME',
  about: 'Compares a stage with its template and infra/stages.ts. Changes nothing.',
  options: { stage: { value: 'NAME', about: 'the stage' } },
  notes: `Uses the credentials and the Region of the AWS CLI. Each line is "same", "differs", "seen" if there is nothing to
compare, or "not read"; then: what was seen | what was expected, if different -> what to do. It sends the stage one request without a token. docs/permissions.md lists the permissions that it needs. The last line names what was not asked. Exit codes:
0 if nothing differs and everything could be read, else 1; 2 if the command is invalid.`,
  async main(values) {
    const stage = findStage(values.stage);
    // Loaded only now, so that help and refused options do not wait for it.
    const { examine } = await import('../operate/doctor/examine.ts');
    const counts = { same: 0, differs: 0, seen: 0, 'not read': 0 };
    for await (const { name, mark, says } of examine(stage)) {
      counts[mark] += 1;
      print(oneLine(`${mark.padEnd(8)}  ${name.padEnd(12)}  ${says}`));
    }
    const { differs, 'not read': unread } = counts;
    printError(
      `${differs} differ, ${unread} not read. Not asked: what else was changed by hand (npx cdk drift -c stage=${stage.name}), ` +
        `and whether a plant is accepted (npm run verify -- --stage ${stage.name}).`,
    );
    return differs + unread === 0;
  },
});
