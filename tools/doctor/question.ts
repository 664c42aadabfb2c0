import type { Stage } from '../../infra/stage-settings.ts';
import type { ClientSettings } from '../../operate/deployed/aws.ts';
import type { Caller } from '../../operate/deployed/caller.ts';
import type { DeployedStack } from '../../operate/deployed/deployed-stack.ts';

/** What a question found. */
export interface Finding {
  /** `not asked`: nothing is known, because the question could not be asked; `not yet`: the stage is not deployed. */
  readonly verdict: 'ok' | 'problem' | 'not asked' | 'not yet';
  readonly says: string;
  /** What to do about it: a command, where there is one. */
  readonly mend?: string;
}

/** What the questions are about, and whose credentials are used. */
export interface Subject extends Caller {
  readonly stage: Stage;
  /** The stage's stack; undefined if it is not deployed. Rejects if CloudFormation does not respond. */
  readonly stack: Promise<DeployedStack | undefined>;
  readonly settings: ClientSettings;
}

/** One question about the account. Rejects if it cannot be asked. */
export type Question = (subject: Subject) => Promise<Finding>;

export const ok = (says: string): Finding => ({ verdict: 'ok', says });

export const problem = (says: string, mend: string): Finding => ({ verdict: 'problem', says, mend });

/** One finding for all problems of a line. @param otherwise what it says if there are none */
export function allProblems(found: readonly Finding[], otherwise: string): Finding {
  if (found.length === 0) return ok(otherwise);
  return problem(found.map(({ says }) => says).join('; '), found.map(({ mend }) => mend).join(', then '));
}

/**
 * A field of a response of AWS, from which something is concluded.
 * @throws Error if it is absent
 */
export function given<Value>(value: Value | undefined, field: string): Value {
  if (value !== undefined) return value;
  throw new Error(`AWS's response has no ${field}`);
}

/** The stage of a question is not deployed. */
export class NotDeployed extends Error {}

/**
 * The stage's stack, for a question that only makes sense once it is deployed.
 * @throws NotDeployed
 */
export async function deployed({ stack }: Subject): Promise<DeployedStack> {
  const found = await stack;
  if (found) return found;
  throw new NotDeployed('the stage is not deployed');
}
