import { EXIT } from '../../cli/command-line.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { oneLine, print, printError } from '../../cli/print.ts';
import { progressLine } from '../../cli/progress.ts';
import { errorOf, type HttpResponse } from '../../contract/judge-response.ts';
import { causeOf } from '../shared/send-http.ts';
import { caseChecks, NO_WRITE, type Permission, VERIFY_BODY } from './case-checks.ts';
import { type Check, notJudged, type Result, runChecks, STOPPED } from './check.ts';
import { otherChecks } from './other-checks.ts';
import { RunningService } from './running-service.ts';

/**
 * Tests a service, prints the results and the verdict, and sets the exit code.
 * @param baseUrl with or without a trailing slash or a stage's path
 * @param permission `write` is whether to create more than one plant
 * @param json whether to print the results as JSON
 * @param stop ends the run when it is aborted
 * @throws PlainError if the service does not accept a valid plant; the reason of the abort
 */
export async function verify(
  baseUrl: string,
  token: string,
  permission: Permission,
  json: boolean,
  stop?: AbortSignal,
): Promise<void> {
  const service = new RunningService(baseUrl, token, { stop });
  try {
    await requireService(service, VERIFY_BODY);
    const checks = checksFor(permission);
    const show = progressLine();
    const onCheck = (done: number, rule: string) => show(`${done}/${checks.length} ${rule}`);
    const results = await runChecks(checks, service, onCheck).finally(show);
    const { counts, conforms, verdict } = summaryOf(results, service.retries);
    if (json) print(JSON.stringify({ baseUrl, ...counts, results }, null, 2));
    else if (counts.didNotHold > 0) print(`${report(results)}\n`);
    (json ? printError : print)(`${baseUrl} ${verdict}`);
    if (!conforms) process.exitCode = EXIT.failed;
  } finally {
    service.close();
  }
}

/** All checks, also those that are only listed because they may not be sent. */
export function checksFor(permission: Permission): Check[] {
  const stored = { group: 'the plant', rule: 'nothing that is refused is stored', run: notJudged(NO_WRITE) };
  return [...caseChecks(permission), ...otherChecks(permission), ...(permission.write ? [] : [stored])];
}

/**
 * Sends one request first, because with a wrong address or token all others would fail.
 * @param body a plant that the service should accept
 * @throws PlainError with the cause in one line, unless the response is 200
 */
export async function requireService(service: RunningService, body: string): Promise<void> {
  const { baseUrl } = service;
  const response = await service.create(body).catch((error) => {
    service.stop?.throwIfAborted();
    throw new PlainError(`${baseUrl} cannot be reached (${causeOf(error)}).`);
  });
  if (response.status === 200) return;
  const problem = problemOf(response);
  throw new PlainError(`${baseUrl} does not accept a valid plant: ${problem}`);
}

/** In the service's own words, which say what to do; or what is no Plant Store. */
function problemOf(response: HttpResponse): string {
  const { status, headers, body } = response;
  const error = errorOf(response);
  if (error === undefined)
    return oneLine(`status ${status}, ${headers['content-type'] ?? 'no content type'}.`);
  return oneLine(`${error}: ${JSON.parse(body).message}`);
}

/** The rules that did not hold, with the reasons. */
function report(results: readonly Result[]): string {
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
function summaryOf(results: readonly Result[], retries: number) {
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
