/** `npm run guard`: finds what a deployment could lose. */
import { EXIT, runCommand, UsageError } from '../terminal/command-line.ts';
import { oneLine, print } from '../terminal/print.ts';

await runCommand(
  {
    usage: 'npm run guard -- [--stage NAME] [--app DIR] [--template FILE] [--allow IDS]',
    about: `Compares the deployed templates with the new ones. Lists each table, log group, key, alias and other resource
with data or an address that would be removed, or that has a change that is not known to be harmless.`,
    options: {
      stage: {
        value: 'NAME',
        about:
          'check this stage (default: every stage of infra/stages.ts and every deployed one of the account and Region)',
      },
      app: {
        value: 'DIR',
        about: 'use the templates that cdk synth wrote to this folder (default: synthesise now)',
      },
      template: {
        value: 'FILE',
        about: 'use this deployed template, with --stage (default: ask CloudFormation)',
      },
      allow: {
        value: 'IDS',
        about:
          'by hand, accept what is listed for these logical ids, separated by commas; "all" accepts everything',
      },
    },
    notes: `Accepts each line that \`acceptedLosses\` of the stage repeats. If an entry matches nothing, it prints a warning with
--stage, and fails without, as in the review of a pull request. Uses the credentials and the Region of the environment, or
the stage's own Region if it has one.
Exit codes: 0 if nothing would be lost or everything listed is accepted, 1 if something could be lost or cannot be compared, or
an entry matches nothing, 2 if the command is invalid.`,
  },
  async ({ stage, app, template, allow }) => {
    if (template !== undefined && stage === undefined) throw new UsageError('--template needs --stage.');
    const [{ compareAll }, { compareStage }] = await Promise.all([
      import('./guard/compare-all.ts'),
      import('./guard/compare-stage.ts'),
    ]);
    const choices = { app, template, allowed: allow?.split(',') };
    const comparisons = stage === undefined ? compareAll(choices) : [compareStage(stage, choices)];
    for await (const { lines, isRefused } of comparisons) {
      print(lines.map(oneLine).join('\n'));
      if (isRefused) process.exitCode = EXIT.failed;
    }
  },
);
