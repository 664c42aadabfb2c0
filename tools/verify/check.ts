import type { Answer } from './judge-answer.ts';
import type { Service } from './service.ts';

/** One rule of the contract, and how to try it. */
export interface Check {
  readonly group: string;
  /** A statement of behaviour. */
  readonly rule: string;
  /**
   * Tries the rule.
   * @returns a sentence for each thing that is wrong; none where the rule holds
   * @throws NotJudged when this cannot be found out here
   */
  run(service: Service): Promise<string[]>;
}

/** What became of a check. */
export interface Result {
  readonly group: string;
  readonly rule: string;
  readonly verdict: 'held' | 'did not hold' | 'not judged';
  /** What was wrong, or why it was not judged. */
  readonly reasons: readonly string[];
}

/** Thrown by a check that finds it cannot tell; the message says why. */
export class NotJudged extends Error {
  override readonly name = 'NotJudged';
}

/** Runs one check. An answer that never came is something wrong, not a crash of the tool. */
export async function judge({ group, rule, run }: Check, service: Service): Promise<Result> {
  try {
    const reasons = await run(service);
    return { group, rule, verdict: reasons.length === 0 ? 'held' : 'did not hold', reasons };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const verdict = error instanceof NotJudged ? 'not judged' : 'did not hold';
    return {
      group,
      rule,
      verdict,
      reasons: [verdict === 'not judged' ? message : `no answer (${code ?? message})`],
    };
  }
}

/** The number of an error answer; undefined when it is none. */
export function errorOf({ status, body }: Answer): number | undefined {
  if (status !== 400) return undefined;
  try {
    return (JSON.parse(body) as { error?: number }).error;
  } catch {
    return undefined;
  }
}
