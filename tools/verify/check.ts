import { causeOf } from './send-http.ts';
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

/** After so many checks in a row without an answer there is no service any more. */
const MOST_UNANSWERED = 3;

/**
 * Runs checks one after the other, so that a low throttle is not what is found. When the service stops answering,
 * the rest is not judged.
 * @param onCheck called before each check, with the number of those that are done
 */
export async function runChecks(
  checks: readonly Check[],
  service: Service,
  onCheck: (done: number, rule: string) => void,
): Promise<Result[]> {
  const results: Result[] = [];
  let unanswered = 0;
  for (const check of checks) {
    onCheck(results.length, check.rule);
    const { group, rule } = check;
    const give = (verdict: Result['verdict'], ...reasons: string[]) =>
      results.push({ group, rule, verdict, reasons });
    if (unanswered === MOST_UNANSWERED) {
      give('not judged', 'the service stopped answering');
      continue;
    }
    try {
      const wrong = await check.run(service);
      give(wrong.length === 0 ? 'held' : 'did not hold', ...wrong);
      unanswered = 0;
    } catch (error) {
      if (error instanceof NotJudged) {
        give('not judged', error.message);
      } else {
        give('did not hold', `no answer (${causeOf(error)})`);
        unanswered += 1;
      }
    }
  }
  return results;
}
