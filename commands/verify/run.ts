import { PlainError } from '../../cli/plain-error.ts';
import { oneLine, print, printError } from '../../cli/print.ts';
import { progressLine } from '../../cli/progress.ts';
import { errorOf } from '../../contract/judge-response.ts';
import { causeOf } from '../../contract/send-http.ts';
import { caseChecks, type Permission, VERIFY_BODY } from './case-checks.ts';
import { type Check, type Result, runChecks, STOPPED } from './check.ts';
import { otherChecks } from './other-checks.ts';
import { type RunningService, serviceAt } from './running-service.ts';
import { inWords } from './violation.ts';

/**
 * Tests a service, and prints the results and the verdict.
 * @param baseUrl with or without a trailing slash or a stage's path
 * @param permission `write` is whether to create more than one plant
 * @param json whether to print the results as JSON
 * @param stop ends the run when it is aborted
 * @returns whether no rule was broken
 * @throws PlainError if the service does not accept a valid plant; the reason of the abort
 */
export async function verify(
  baseUrl: string,
  token: string,
  permission: Permission,
  json: boolean,
  stop?: AbortSignal,
): Promise<boolean> {
  const service = serviceAt(baseUrl, token, { stop });
  try {
    await requireService(service);
    const checks = checksFor(permission);
    const show = progressLine();
    const onCheck = (done: number, rule: string) => show(`${done}/${checks.length} ${rule}`);
    const results = await runChecks(checks, service, onCheck).finally(show);
    printResults(baseUrl, results, service.counts.retries, json);
    return results.every(({ verdict }) => verdict !== 'did not hold');
  } finally {
    service.close();
  }
}

/** All checks, also those that are only listed because they may not be sent. */
export function checksFor(permission: Permission): Check[] {
  return [...caseChecks(permission), ...otherChecks(permission)];
}

/**
 * Sends one request first, because with a wrong address or token all others would fail.
 * @throws PlainError with the cause in one line, in the service's own words if it has any, unless the response is 200
 */
export async function requireService({ baseUrl, create, stop }: RunningService): Promise<void> {
  const response = await create(VERIFY_BODY).catch((error) => {
    stop?.throwIfAborted();
    throw new PlainError(`${baseUrl} cannot be reached (${causeOf(error)}).`);
  });
  const { status, headers, body } = response;
  if (status === 200) return;
  const error = errorOf(response);
  const problem =
    error === undefined
      ? `status ${status}, ${headers['content-type'] ?? 'no content type'}.`
      : `${error}: ${JSON.parse(body).message}`;
  throw new PlainError(`${baseUrl} does not accept a valid plant: ${oneLine(problem)}`);
}

function printResults(baseUrl: string, results: readonly Result[], retries: number, json: boolean): void {
  const byVerdict = Object.groupBy(results, ({ verdict }) => verdict);
  const { held = [], 'did not hold': broken = [], 'not judged': open = [] } = byVerdict;
  const [didNotHold, notJudged] = [broken.length, open.length];
  // Then there is no verdict on the service.
  const hasStopped = open.some(({ reasons }) => reasons[0]?.sentence === STOPPED);
  const says = didNotHold === 0 ? 'conforms to the contract' : 'violates the contract';
  const byReason = Object.entries(
    Object.groupBy(open, ({ reasons }) => oneLine(reasons.map(inWords).join('; '))),
  );
  const why = byReason.map(([reason, own = []]) => `${own.length}: ${reason}`).join('; ');
  const counted = `${held.length} rules held, ${didNotHold} did not hold, ${notJudged} not judged`;
  const verdict = `${hasStopped ? 'stopped responding' : says}: ${counted}${why && ` (${why})`}; retries: ${retries}.`;
  if (json) {
    const counts = { held: held.length, didNotHold, notJudged, hasStopped, retries };
    const written = results.map((each) => ({ ...each, reasons: each.reasons.map(inWords) }));
    print(JSON.stringify({ baseUrl, ...counts, results: written }, null, 2));
  } else if (didNotHold > 0) {
    const lines = broken.flatMap(({ group, rule, reasons }) => [
      `  ${group}: ${rule}`,
      ...reasons.map((reason) => `    ${oneLine(inWords(reason))}`),
    ]);
    print(`${['Did not hold', ...lines].join('\n')}\n`);
  }
  (json ? printError : print)(`${baseUrl} ${verdict}`);
}
