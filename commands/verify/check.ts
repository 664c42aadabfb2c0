import { NotJudged } from '../../contract/placeholders.ts';
import { causeOf } from '../../contract/send-http.ts';
import type { RunningService } from './running-service.ts';
import type { Violation } from './violation.ts';

/** One rule of the contract, and how to test it. */
export interface Check {
  readonly group: string;
  /** A statement of behavior. */
  readonly rule: string;
  /**
   * Tests the rule.
   * @returns the violations; none if the rule holds
   * @throws NotJudged if the rule cannot be tested here
   */
  run(service: RunningService): Promise<Violation[]>;
}

/** The result of a check. */
export interface Result extends Omit<Check, 'run'> {
  readonly verdict: 'held' | 'did not hold' | 'not judged';
  /** The violations, or why the rule was not judged. */
  readonly reasons: readonly Violation[];
}

/** A check that is only listed, with the reason. */
export function notJudged(reason: string): Check['run'] {
  return async () => {
    throw new NotJudged(reason);
  };
}

/** Why a check was not judged after the service has stopped. */
export const STOPPED = 'the service stopped responding';

/** After so many consecutive checks without a response, the service is considered stopped. */
const MOST_UNANSWERED = 3;

/**
 * Runs checks one after the other, so that they do not exceed a low throttle. If the service stops responding, the
 * remaining checks are not judged.
 * @param onCheck called before each check, with the number of finished checks
 * @throws the reason of the abort, if the service's `stop` is aborted
 */
export async function runChecks(
  checks: readonly Check[],
  service: RunningService,
  onCheck: (done: number, rule: string) => void,
): Promise<Result[]> {
  const results: Result[] = [];
  let unanswered = 0;
  for (const { group, rule, run } of checks) {
    onCheck(results.length, rule);
    const give = (verdict: Result['verdict'], ...reasons: Violation[]) =>
      results.push({ group, rule, verdict, reasons });
    try {
      if (unanswered === MOST_UNANSWERED) throw new NotJudged(STOPPED);
      const wrong = await run(service);
      give(wrong.length === 0 ? 'held' : 'did not hold', ...wrong);
      unanswered = 0;
    } catch (error) {
      service.stop?.throwIfAborted();
      if (error instanceof NotJudged) {
        give('not judged', { sentence: error.message });
      } else {
        unanswered += 1;
        give('did not hold', { sentence: `no response (${causeOf(error)})` });
      }
    }
  }
  return results;
}
