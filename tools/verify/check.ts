import { NotJudged } from '../../contract/placeholders.ts';
import { causeOf } from '../../operate/send-http.ts';
import type { RunningService } from './running-service.ts';

/** One rule of the contract, and how to test it. */
export interface Check {
  readonly group: string;
  /** A statement of behavior. */
  readonly rule: string;
  /**
   * Tests the rule.
   * @returns a sentence for each violation; none if the rule holds
   * @throws NotJudged if the rule cannot be tested here
   */
  run(service: RunningService): Promise<string[]>;
}

/** The result of a check. */
export interface Result {
  readonly group: string;
  readonly rule: string;
  readonly verdict: 'held' | 'did not hold' | 'not judged';
  /** The violations, or why the rule was not judged. */
  readonly reasons: readonly string[];
}

/** Why a check was not judged after the service has stopped. */
export const STOPPED = 'the service stopped responding';

/** After so many consecutive checks without a response, the service is considered stopped. */
const MOST_UNANSWERED = 3;

/**
 * Runs checks one after the other, so that they do not exceed a low throttle. If the service stops responding, the
 * remaining checks are not judged, nor are those that showed it.
 * @param onCheck called before each check, with the number of finished checks
 * @throws the reason of the abort, if the service's `stop` is aborted
 */
export async function runChecks(
  checks: readonly Check[],
  service: RunningService,
  onCheck: (done: number, rule: string) => void,
): Promise<Result[]> {
  const results: Result[] = [];
  /** The indices of the results of the last checks, if none of them got a response. */
  let unanswered: number[] = [];
  for (const check of checks) {
    onCheck(results.length, check.rule);
    const { group, rule } = check;
    const give = (verdict: Result['verdict'], ...reasons: string[]) =>
      results.push({ group, rule, verdict, reasons });
    if (unanswered.length === MOST_UNANSWERED) {
      give('not judged', STOPPED);
      continue;
    }
    try {
      const wrong = await check.run(service);
      give(wrong.length === 0 ? 'held' : 'did not hold', ...wrong);
      unanswered = [];
    } catch (error) {
      service.stop?.throwIfAborted();
      if (error instanceof NotJudged) {
        give('not judged', error.message);
      } else {
        unanswered.push(results.length);
        give('did not hold', `no response (${causeOf(error)})`);
        if (unanswered.length === MOST_UNANSWERED) for (const index of unanswered) withdraw(results, index);
      }
    }
  }
  return results;
}

/** Without a response from a service that has stopped, nothing is known about a rule. */
function withdraw(results: Result[], index: number): void {
  const result = results[index];
  if (result) results[index] = { ...result, verdict: 'not judged', reasons: [STOPPED, ...result.reasons] };
}
