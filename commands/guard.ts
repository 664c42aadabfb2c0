/** `npm run guard`: finds what a deployment could lose. */
import { EXIT, runCommand } from '../cli/command-line.ts';
import { oneLine, print } from '../cli/print.ts';

await runCommand(
  {
    usage: 'npm run guard -- [--stage NAME] [--allow IDS] [--first]',
    about: `Compares the deployed templates with the new ones. Lists each resource that would be removed, and each change
that is not known to keep data, addresses and protections. Refuses a working copy without the deployed commit.`,
    options: {
      stage: {
        value: 'NAME',
        about:
          'check this stage (default: every stage of infra/stages.ts and every deployed one of the account and Region)',
      },
      allow: {
        value: 'IDS',
        about:
          'by hand, accept what is listed for these logical ids, separated by commas; "all" accepts everything',
      },
      first: { about: 'a stage without a stack is deployed for the first time; otherwise, that is refused' },
    },
    notes: `Accepts each line that \`acceptedLosses\` of the stage repeats. If an entry matches nothing, it prints a warning with
--stage, and fails without, as in the review of a pull request. Uses the credentials and the Region of the environment, or
the stage's own Region if it has one.
Exit codes: 0 if nothing would be lost or everything listed is accepted, 1 if something could be lost or cannot be compared, or
an entry matches nothing, 2 if the command is invalid.`,
  },
  async ({ stage, allow, first }) => {
    const { compareAll, compareStage } = await import('./guard/compare-stage.ts');
    const choices = { allowed: allow?.split(','), isFirst: first };
    const comparisons = stage === undefined ? compareAll(choices) : [compareStage(stage, choices)];
    for await (const { lines, isRefused } of comparisons) {
      print(lines.map(oneLine).join('\n'));
      if (isRefused) process.exitCode = EXIT.failed;
    }
  },
);
