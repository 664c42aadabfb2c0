import type { Stage } from '../../infra/stage-settings.ts';
import type { ClientSettings } from '../shared/aws.ts';
import type { Caller } from '../shared/caller.ts';
import type { DeployedStack } from '../shared/deployed-stack.ts';

/**
 * What was seen, beside what the template or the settings of the stage say, if they do; what to do about a difference; and whether
 * there is one: by default, whether the two texts differ.
 */
export type Fact = readonly [seen: string, template?: string, mend?: string, differs?: boolean];

/** What the facts are about, and whose credentials are used. */
export interface Subject extends Caller {
  readonly stage: Stage;
  /** The stage's stack; undefined if it is not deployed. Rejects if CloudFormation does not respond. */
  readonly stack: Promise<DeployedStack | undefined>;
  readonly settings: ClientSettings;
}

/** Reads one fact. Rejects if it cannot be read. */
export type Question = (subject: Subject) => Promise<Fact>;

/** A field of a response of AWS, from which something is concluded. @throws Error if it is absent */
export function given<Value>(value: Value | undefined, field: string): Value {
  if (value !== undefined) return value;
  throw new Error(`AWS's response has no ${field}`);
}

/** The stage's stack. @throws Error if it is not deployed */
export async function deployed({ stack }: Subject): Promise<DeployedStack> {
  return (await stack) ?? Promise.reject(new Error('the stage is not deployed'));
}

/** A function that returns `instead` for an error of a class, and throws any other. */
export const ifError =
  (type: abstract new (...args: never[]) => Error, instead: string) => (error: unknown) => {
    if (error instanceof type) return instead;
    throw error;
  };
