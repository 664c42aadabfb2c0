import { stackName } from '../../infra/names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { clientSettings, explain } from '../stage/aws.ts';
import { readCaller } from '../stage/caller.ts';
import { describeStack, refuseOtherAccount } from '../stage/deployed-stack.ts';
import { bootstrap, concurrency, gatewayLogs } from './account.ts';
import { accessTokens, alarmEmail, alarms } from './operation.ts';
import { type Finding, ok, problem, type Question, type Subject } from './question.ts';
import { drift, stackState } from './stack.ts';

/** The questions, in the order of the answers. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  bootstrap,
  stack: stackState,
  concurrency,
  'gateway logs': gatewayLogs,
  'alarm email': alarmEmail,
  'access tokens': accessTokens,
  alarms,
  drift,
};

/** Asks all questions about a stage at once, with the credentials of the environment. @returns the answers, in order */
export async function* examine(stage: Stage): AsyncGenerator<Finding & { readonly name: string }> {
  const subject = await subjectOf(stage).catch(explain);
  if (typeof subject === 'string') {
    const mend = 'set credentials and a Region as for the AWS CLI: aws configure, aws sso login, AWS_REGION';
    yield { name: 'credentials', ...problem(subject, mend) };
    for (const name of Object.keys(QUESTIONS))
      yield { name, verdict: 'not asked', says: 'needs credentials' };
    return;
  }
  const answers = Object.entries(QUESTIONS).map(([name, question]) => ({
    name,
    ask: ask(question, subject),
  }));
  yield { name: 'credentials', ...ok(`account ${subject.account}, ${subject.region}, ${subject.caller}`) };
  for (const { name, ask } of answers) yield { name, ...(await ask) };
}

/**
 * Reads the caller's identity, and with it the subject of the questions.
 * @throws the SDK's error if there are no valid credentials, no Region or no network; PlainError if they are for another
 *   account than the stage's
 */
async function subjectOf(stage: Stage): Promise<Subject> {
  const settings = clientSettings(stage);
  const { account, region, arn: caller } = await readCaller(settings);
  refuseOtherAccount(stage, account);
  const stack = describeStack(stage);
  // Each question that awaits the stack handles a failure.
  stack.catch(() => undefined);
  return { stage, stackName: stackName(stage.name), stack, settings, account, region, caller };
}

/** Asks a question. A question that cannot be asked must not stop the others. */
async function ask(question: Question, subject: Subject): Promise<Finding> {
  try {
    return await question(subject);
  } catch (error) {
    const says = explain(error);
    const permission = /not authorized to perform: ([\w-]+:\w+)/.exec(says)?.[1];
    const isPassing = /Throttl|Rate exceeded|TimeoutError|ECONN/.test(says);
    const mend = permission ? `get the permission ${permission}` : isPassing ? 'ask again' : undefined;
    return { verdict: 'not asked', says, mend };
  }
}
