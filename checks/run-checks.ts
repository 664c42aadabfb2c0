import { causeOf } from '../cli/cause.ts';
import type { Violation } from '../contract/judge-response.ts';
import { RESPONSE_MS } from '../contract/send-http.ts';
import { NotJudged, type ServiceUnderTest } from './service-under-test.ts';

/** One rule of the contract, and how to test it. */
export interface Check {
  readonly group: string;
  /** A statement of behavior. */
  readonly rule: string;
  /** Why it is only listed, and not run, if so. */
  readonly notJudged?: string | undefined;
  /** Whether it is repeated while a canary runs. */
  readonly canary?: boolean;
  /**
   * Tests the rule.
   * @returns the violations; none if the rule holds
   * @throws NotJudged if the rule cannot be tested here
   */
  run(service: ServiceUnderTest): Promise<Violation[]>;
}

/** The result of a check. */
export interface Result extends Pick<Check, 'group' | 'rule'> {
  readonly verdict: 'held' | 'did not hold' | 'not judged';
  /** The violations, or why the rule was not judged. */
  readonly reasons: readonly Violation[];
  /** Whether there was no response. */
  readonly isUnanswered?: true;
}

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
  service: ServiceUnderTest,
  onCheck: (done: number, rule: string) => void = () => undefined,
): Promise<{ results: readonly Result[]; hasStopped: boolean }> {
  const results: Result[] = [];
  let unanswered = 0;
  for (const check of checks) {
    onCheck(results.length, check.rule);
    const hasStopped = unanswered === MOST_UNANSWERED;
    const notJudged = hasStopped ? 'the service stopped responding' : check.notJudged;
    const result = await runCheck({ ...check, notJudged }, service);
    if (result.isUnanswered) unanswered += 1;
    else if (result.verdict !== 'not judged') unanswered = 0;
    results.push(result);
  }
  return { results, hasStopped: unanswered === MOST_UNANSWERED };
}

/** Runs a check. @throws the reason of the abort, if the service's `stop` is aborted */
export async function runCheck(check: Check, service: ServiceUnderTest): Promise<Result> {
  const { group, rule, notJudged, run } = check;
  const result = (verdict: Result['verdict'], ...reasons: Violation[]) => ({ group, rule, verdict, reasons });
  if (notJudged !== undefined) return result('not judged', { sentence: notJudged });
  try {
    const wrong = await run(service);
    return result(wrong.length === 0 ? 'held' : 'did not hold', ...wrong);
  } catch (error) {
    service.stop?.throwIfAborted();
    if (error instanceof NotJudged) return result('not judged', { sentence: error.message });
    const { code, cause } = Object(error);
    // A failure of the network has a code, or a cause that has one. Anything else is a bug of ours, not of the service.
    if (code === undefined && cause === undefined)
      return result('did not hold', { sentence: `not tested, because of a bug in this command: ${error}` });
    const reason = { sentence: `no response (${causeOf(error, RESPONSE_MS)})` };
    return { ...result('did not hold', reason), isUnanswered: true };
  }
}

/** A violation in words. */
export function inWords({ sentence, requestId }: Violation): string {
  return requestId === undefined ? sentence : `${sentence} (request ${requestId})`;
}
