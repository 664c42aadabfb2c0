/** `npm run doctor`: finds what prevents a stage from being deployed or used in an AWS account. It changes nothing. */
import { styleText } from 'node:util';
import type { Stage } from '../infra/stage-settings.ts';
import { PlainError } from '../local/plain-error.ts';
import { explain } from './aws.ts';
import { runCommand, UsageError } from './command-line.ts';
import { bootstrap, concurrency, gatewayLogs } from './doctor/account.ts';
import { subjectOf } from './doctor/credentials.ts';
import { accessTokens, alarmEmail, alarms } from './doctor/operation.ts';
import { ask, type Finding, ok, problem, type Question } from './doctor/question.ts';
import { drift, stackState } from './doctor/stack.ts';
import { stageNamed } from './stage-option.ts';

const QUESTIONS: readonly Question[] = [
  bootstrap,
  stackState,
  concurrency,
  gatewayLogs,
  alarmEmail,
  accessTokens,
  alarms,
  drift,
];
const COLOURS = { ok: 'green', problem: 'red', 'not asked': 'yellow' } as const;

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
    const findings = await examine(stageNamed(stage));
    const count = (verdict: Finding['verdict']) => findings.filter((each) => each.verdict === verdict).length;
    const summary = `${count('ok')} ok, ${count('problem')} with a problem, ${count('not asked')} not asked.`;
    if (count('problem') > 0) throw new PlainError(summary);
    console.error(summary);
  },
);

/** Asks all questions at once, and prints the answers in their order. */
async function examine(stage: Stage): Promise<Finding[]> {
  const subject = await subjectOf(stage).catch(explain);
  if (typeof subject === 'string') {
    const mend = 'set credentials and a Region as for the AWS CLI: aws configure, aws sso login, AWS_REGION';
    const none: Finding = { verdict: 'not asked', says: 'needs credentials' };
    return [print('credentials', problem(subject, mend)), ...QUESTIONS.map(({ name }) => print(name, none))];
  }
  const { account, region, caller } = subject;
  const answers = QUESTIONS.map((question) => ({ name: question.name, finding: ask(question, subject) }));
  const findings = [print('credentials', ok(`account ${account}, ${region}, ${caller}`))];
  for (const { name, finding } of answers) findings.push(print(name, await finding));
  return findings;
}

function print(name: string, finding: Finding): Finding {
  const { verdict, says, mend } = finding;
  const label = styleText(COLOURS[verdict], verdict.padEnd(9), { stream: process.stdout });
  console.info(`${label}  ${name.padEnd(13)}  ${says}${mend === undefined ? '' : `  -> ${mend}`}`);
  return finding;
}
