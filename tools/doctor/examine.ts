import type { Stage } from '../../infra/stage-settings.ts';
import { clientSettings, explain } from '../../operate/deployed/aws.ts';
import { readCaller } from '../../operate/deployed/caller.ts';
import { describeStack, refuseOtherAccount } from '../../operate/deployed/deployed-stack.ts';
import { accessTokens } from './access-tokens.ts';
import { bootstrap, gatewayLogs } from './account.ts';
import { alarmEmail, alarms } from './alarms.ts';
import { concurrency } from './concurrency.ts';
import { drift } from './drift.ts';
import { type Finding, NotDeployed, ok, problem, type Question, type Subject } from './question.ts';
import { response } from './response.ts';
import { stackState } from './stack.ts';
import { tables } from './tables.ts';
import { throttle } from './throttle.ts';

/** The questions, in the order of the findings. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  bootstrap,
  stack: stackState,
  response,
  throttle,
  concurrency,
  'gateway logs': gatewayLogs,
  'alarm email': alarmEmail,
  'access tokens': accessTokens,
  tables,
  alarms,
  drift,
};

/** Asks all questions about a stage at once, with the credentials of the environment. @returns the findings, in order */
export async function* examine(stage: Stage): AsyncGenerator<Finding & { readonly name: string }> {
  const subject = await subjectOf(stage).catch(withoutSubject);
  if ('verdict' in subject) {
    yield { name: 'credentials', ...subject };
    for (const name of Object.keys(QUESTIONS))
      yield { name, verdict: 'not asked', says: 'needs the account of the credentials' };
    return;
  }
  const findings = Object.entries(QUESTIONS).map(
    ([name, question]) => [name, ask(question, subject)] as const,
  );
  yield { name: 'credentials', ...ok(`account ${subject.account}, ${subject.region}, ${subject.arn}`) };
  for (const [name, finding] of findings) yield { name, ...(await finding) };
}

/**
 * Reads the caller's identity, and with it the subject of the questions.
 * @throws the SDK's error if there are no valid credentials, no Region or no network; PlainError if they are for another
 *   account than the stage's
 */
async function subjectOf(stage: Stage): Promise<Subject> {
  const settings = clientSettings(stage);
  const caller = await readCaller(settings);
  if (!caller.account) throw new Error("STS's response has no account");
  refuseOtherAccount(stage, caller.account);
  const stack = describeStack(stage);
  // Each question that awaits the stack handles a failure.
  stack.catch(() => undefined);
  return { stage, stack, settings, ...caller };
}

/** Why there is no subject. An endpoint that gives no response says nothing about the credentials. */
function withoutSubject(error: unknown): Finding {
  const found = notAsked(error);
  if (found.mend !== undefined) return found;
  const mend = 'set credentials and a Region as for the AWS CLI: aws configure, aws sso login, AWS_REGION';
  return problem(found.says, mend);
}

/** Asks a question. A question that cannot be asked must not stop the others. */
async function ask(question: Question, subject: Subject): Promise<Finding> {
  try {
    return await question(subject);
  } catch (error) {
    if (error instanceof NotDeployed) return { verdict: 'not yet', says: error.message };
    return notAsked(error);
  }
}

function notAsked(error: unknown): Finding {
  const says = explain(error);
  return { verdict: 'not asked', says, mend: mendOf(error, says) };
}

/** What to do about a failed call; undefined if that depends on the call. */
function mendOf(error: unknown, says: string): string | undefined {
  const permission = /not authorized to perform: ([\w-]+:\w+)/.exec(says)?.[1];
  if (permission) return `get the permission ${permission}`;
  // The SDK's own: on every error of a request that was tried, with the status of the response, if there was one.
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  if ($metadata === undefined) return undefined;
  const { httpStatusCode: status } = $metadata;
  if (status === undefined) return 'AWS cannot be reached: check the network, its proxy and the Region';
  return status >= 500 || /Throttl|Rate exceeded/.test(says) ? 'ask again' : undefined;
}
