import { type Colors, oneLine } from '../../cli/print.ts';
import { type Result, STOPPED } from './check.ts';

/** The colors of a {@link report}. */
export const COLORS: Colors = { red: /^Did not hold$/m };

/** The rules that did not hold, with the reasons. */
export function report(results: readonly Result[]): string {
  const found = results.filter(({ verdict }) => verdict === 'did not hold');
  const lines = found.map(({ group, rule, reasons }) => [
    `  ${group}: ${rule}`,
    ...reasons.map((reason) => `    ${oneLine(reason)}`),
  ]);
  return ['Did not hold', ...lines.flat()].join('\n');
}

/**
 * The number of checks by verdict, whether the service passed, and all of this in words.
 * @param retries how many requests were retried
 */
export function summaryOf(results: readonly Result[], retries: number) {
  const count = (verdict: Result['verdict']) => results.filter((each) => each.verdict === verdict).length;
  const [held, didNotHold, notJudged] = [count('held'), count('did not hold'), count('not judged')];
  // Then there is no verdict on the service.
  const hasStopped = results.some(({ reasons }) => reasons[0] === STOPPED);
  const conforms = didNotHold === 0;
  const says = conforms ? 'conforms to the contract' : 'violates the contract';
  const open = results.filter(({ verdict }) => verdict === 'not judged');
  const reasons = Object.entries(Object.groupBy(open, ({ reasons }) => oneLine(reasons.join('; '))));
  const why = reasons.map(([reason, own = []]) => `${own.length}: ${reason}`).join('; ');
  const counted = `${held} rules held, ${didNotHold} did not hold, ${notJudged} not judged`;
  return {
    counts: { held, didNotHold, notJudged, hasStopped, retries },
    conforms,
    verdict: `${hasStopped ? 'stopped responding' : says}: ${counted}${why && ` (${why})`}; retries: ${retries}.`,
  };
}
