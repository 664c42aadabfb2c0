import fc from 'fast-check';
import { violations } from './check.ts';
import { type Plan, plans } from './plan.ts';
import { simulate } from './simulation.ts';
import type { Subject } from './subject.ts';

/** What is run. */
export interface Options {
  readonly runs: number;
  readonly seed: number;
  /** The place of one history in the run of its seed, as an earlier failure gave it. */
  readonly path?: string | undefined;
  /** Whether to look for a smaller history with the same fault; true by default. */
  readonly shrinks?: boolean;
  /** Called after each history. */
  readonly onHistory?: (attempts: number) => void;
}

/** A history that the model does not allow. */
export interface Failure {
  /** How many histories were run until it was found. */
  readonly runs: number;
  /** What is wrong, and what happened, in lines. */
  readonly story: string;
}

/** Runs random histories, and judges each. @returns the first that is not possible, shrunk */
export async function findFailure(subject: Subject, options: Options): Promise<Failure | undefined> {
  const { runs, seed, path = '', shrinks = true, onHistory } = options;
  const property = fc.asyncProperty(plans, async (plan) => {
    const history = await simulate(subject, plan);
    onHistory?.(history.attempts.length);
    const found = violations(history);
    if (found.length > 0) throw new Error(found.join('\n'));
  });
  const result = await fc.check(property, { numRuns: runs, seed, path, endOnFailure: !shrinks });
  if (!result.failed) return undefined;
  const [plan] = result.counterexample as [Plan];
  const repeat = `npm run lab -- histories --seed ${seed} --path ${result.counterexamplePath}`;
  return { runs: result.numRuns, story: `${await tell(subject, plan)}\n\nTo repeat it: ${repeat}` };
}

async function tell(subject: Subject, plan: Plan): Promise<string> {
  const history = await simulate(subject, plan);
  const lines = history.story.map(([at, text]) => `${(at / 1000).toFixed(3).padStart(10)} s  ${text}`);
  return [...violations(history).map((line) => `Wrong: ${line}.`), '', ...lines].join('\n');
}
