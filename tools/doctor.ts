/** `npm run doctor`: finds what prevents a stage from being deployed or used in an AWS account. It changes nothing. */
import { PlainError } from '../infra/plain-error.ts';
import { oneLine, print, printError } from '../infra/terminal.ts';
import { runCommand, UsageError } from './command-line.ts';
import { examine } from './doctor/examine.ts';
import { stageNamed } from './stage-option.ts';

const COLOURS = { green: /^ok/, red: /^problem/, yellow: /^not asked/ };

await runCommand(
  {
    usage: 'npm run doctor -- --stage NAME',
    about: 'Finds what prevents a stage from being deployed or used in the AWS account. Changes nothing.',
    options: { stage: { value: 'NAME', about: 'the stage' } },
    notes: `Uses the credentials and the Region of the AWS CLI. Each line is "ok", "problem", or "not asked" if the
question could not be asked; then the reason; then, after ->, what to do. docs/first-deployment.md lists the
permissions that it needs. Exit codes: 0 if there is no problem, 1 if there is one, 2 if the command is invalid.`,
  },
  async ({ stage }) => {
    if (stage === undefined) throw new UsageError('Name the stage: --stage NAME.');
    const counts = { ok: 0, problem: 0, 'not asked': 0 };
    for await (const { name, verdict, says, mend } of examine(stageNamed(stage))) {
      counts[verdict] += 1;
      const answer = `${verdict.padEnd(9)}  ${name.padEnd(13)}  ${says}`;
      print(oneLine(mend === undefined ? answer : `${answer}  -> ${mend}`), COLOURS);
    }
    const summary = `${counts.ok} ok, ${counts.problem} with a problem, ${counts['not asked']} not asked.`;
    if (counts.problem > 0) throw new PlainError(summary);
    printError(summary);
  },
);
