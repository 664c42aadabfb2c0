import type { Stage } from '../../infra/stage-settings.ts';
import { type ClientSettings, explain } from '../aws.ts';
import type { DeployedStack } from '../deployed-stack.ts';

/** The answer to a question. */
export interface Finding {
  /** `not asked`: the question could not be asked, so the answer is unknown. */
  readonly verdict: 'ok' | 'problem' | 'not asked';
  readonly says: string;
  /** What to do about it: a command, where there is one. */
  readonly mend?: string;
}

/** What the questions are about. */
export interface Subject {
  readonly stage: Stage;
  readonly stackName: string;
  /** The stage's stack; undefined if it is not deployed. Rejects if CloudFormation does not answer. */
  readonly stack: Promise<DeployedStack | undefined>;
  readonly settings: ClientSettings;
  readonly account: string;
  readonly region: string;
  /** The first part of ARNs: `aws`, or another one in China and in GovCloud. */
  readonly partition: string;
}

/** One question to the account. */
export interface Question {
  readonly name: string;
  /** Rejects if the question cannot be asked. */
  ask(subject: Subject): Promise<Finding>;
}

export const ok = (says: string): Finding => ({ verdict: 'ok', says });

export const problem = (says: string, mend: string): Finding => ({ verdict: 'problem', says, mend });

/**
 * The stage's stack, for a question that only makes sense once it is deployed.
 * @throws Error if it is not deployed
 */
export async function deployed({ stack }: Subject): Promise<DeployedStack> {
  const found = await stack;
  if (found) return found;
  throw new Error('the stage is not deployed');
}

/** Asks a question. A question that cannot be asked must not stop the others. */
export async function ask(question: Question, subject: Subject): Promise<Finding> {
  try {
    return await question.ask(subject);
  } catch (error) {
    const says = explain(error);
    const permission = /not authorized to perform: ([\w-]+:\w+)/.exec(says)?.[1];
    const isPassing = /Throttl|Rate exceeded|TimeoutError|ECONN/.test(says);
    const mend = permission ? `get the permission ${permission}` : isPassing ? 'ask again' : undefined;
    return { verdict: 'not asked', says, ...(mend === undefined ? {} : { mend }) };
  }
}
