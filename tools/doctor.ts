/** `npm run doctor`: finds what prevents a stage from being deployed or used in an AWS account. It changes nothing. */

import { stageNamed } from '../operate/deployed/stage-option.ts';
import { runCommand } from '../terminal/command-line.ts';
import { PlainError } from '../terminal/plain-error.ts';
import { oneLine, print, printError } from '../terminal/print.ts';

const COLORS = { green: /^ok/, red: /^problem/, yellow: /^not (asked|yet)/ };

await runCommand(
  {
    usage: 'npm run doctor -- --stage NAME',
    about: 'Finds what prevents a stage from being deployed or used in the AWS account. Changes nothing.',
    options: { stage: { value: 'NAME', about: 'the stage' } },
    notes: `Uses the credentials and the Region of the AWS CLI. Each line is "ok", "problem", "not asked" if the question
could not be asked, or "not yet" if the stage is not deployed; then the reason; then, after ->, what to do. It sends
the stage one request without a token. docs/commands.md lists the permissions that it needs. Exit codes: 0 if
there is no problem and every question could be asked, else 1; 2 if the command is invalid.`,
  },
  async (values) => {
    const stage = stageNamed(values.stage);
    // Loaded only now, so that help and refused options do not wait for it.
    const { examine } = await import('./doctor/examine.ts');
    const counts = { ok: 0, problem: 0, 'not asked': 0, 'not yet': 0 };
    for await (const { name, verdict, says, mend } of examine(stage)) {
      counts[verdict] += 1;
      const response = `${verdict.padEnd(9)}  ${name.padEnd(13)}  ${says}`;
      print(oneLine(mend === undefined ? response : `${response}  -> ${mend}`), COLORS);
    }
    const { ok, problem, 'not asked': unasked, 'not yet': later } = counts;
    const summary = `${ok} ok, ${problem} with a problem, ${unasked} not asked, ${later} not yet.`;
    if (problem + unasked > 0) throw new PlainError(summary);
    printError(summary);
  },
);
