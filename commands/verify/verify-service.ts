import { caseChecks } from '../../checks/case-checks.ts';
import { gatewayAndRaceChecks } from '../../checks/gateway-and-race-checks.ts';
import type { Permission } from '../../checks/permission.ts';
import { type Check, inWords, type Result, runChecks } from '../../checks/run-checks.ts';
import { type ServiceUnderTest, serviceAt } from '../../checks/service-under-test.ts';
import { causeOf } from '../../cli/cause.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { oneLine, print, printError } from '../../cli/print.ts';
import { progressLine } from '../../cli/progress.ts';
import { jsonIn } from '../../contract/json.ts';
import { errorOf } from '../../contract/judge-response.ts';
import { inWordsNotOfService, notOfService, PROXY_PAGE } from '../../contract/not-of-service.ts';
import { VERIFY_BODY } from '../../contract/reserved-ids.ts';
import { RESPONSE_MS } from '../../contract/send-http.ts';

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
    const onCheck = (done: number, rule: string) => show(() => `${done}/${checks.length} ${rule}`);
    const ended = await runChecks(checks, service, onCheck).finally(show);
    printResults(baseUrl, { ...ended, retries: service.counts.retries }, json);
    return ended.results.every(({ verdict }) => verdict !== 'did not hold');
  } finally {
    service.close();
  }
}

/** All checks, also those that are only listed because they may not be sent. */
export function checksFor(permission: Permission): Check[] {
  return [...caseChecks(permission), ...gatewayAndRaceChecks(permission)];
}

/**
 * Sends one request first, because with a wrong address or token all others would fail.
 * @throws PlainError with the cause in one line, in the service's own words if it has any, unless the response is 200
 */
export async function requireService({ baseUrl, create, stop }: ServiceUnderTest): Promise<void> {
  const response = await create(VERIFY_BODY).catch((error) => {
    stop?.throwIfAborted();
    throw new PlainError(`${baseUrl} cannot be reached (${causeOf(error, RESPONSE_MS)}).`);
  });
  const { status, headers, body } = response;
  if (status === 200) return;
  const error = errorOf(response);
  const { message } = Object(jsonIn(body));
  const problem =
    error === undefined || typeof message !== 'string'
      ? `status ${status}, ${headers['content-type'] ?? 'no content type'}.`
      : `${error}: ${message}`;
  const foreign = notOfService(response);
  const between = foreign ? inWordsNotOfService(foreign) : error === 40101 ? NOT_ARRIVED : '';
  throw new PlainError(oneLine(`${baseUrl} does not accept a valid plant: ${problem} ${between}`.trim()));
}

/** A token was sent, and the service says that there was none. */
const NOT_ARRIVED = `The access token was sent, but did not arrive: a proxy in front removes the Authorization header (${PROXY_PAGE}).`;

/** A result with `--json`. */
export interface PrintedResult extends Pick<Result, 'group' | 'rule' | 'verdict'> {
  readonly reasons: readonly string[];
}

function printResults(
  baseUrl: string,
  { results, hasStopped, retries }: { results: readonly Result[]; hasStopped: boolean; retries: number },
  json: boolean,
): void {
  const printed = results.map(
    ({ group, rule, verdict, reasons }): PrintedResult => ({
      group,
      rule,
      verdict,
      reasons: reasons.map(inWords),
    }),
  );
  const byVerdict = Object.groupBy(printed, ({ verdict }) => verdict);
  const { held = [], 'did not hold': broken = [], 'not judged': open = [] } = byVerdict;
  const [didNotHold, notJudged] = [broken.length, open.length];
  if (json) {
    const counts = { held: held.length, didNotHold, notJudged, hasStopped, retries };
    print(JSON.stringify({ baseUrl, ...counts, results: printed }, null, 2));
  } else if (didNotHold > 0) {
    const lines = broken.flatMap(({ group, rule, reasons }) => [
      `  ${group}: ${rule}`,
      ...reasons.map((reason) => `    ${oneLine(reason)}`),
    ]);
    print(`${['Did not hold', ...lines].join('\n')}\n`);
  }
  const byReason = Object.entries(Object.groupBy(open, ({ reasons }) => oneLine(reasons.join('; '))));
  const why = byReason.map(([reason, own = []]) => `${own.length}: ${reason}`).join('; ');
  const counted = `${held.length} rules held, ${didNotHold} did not hold, ${notJudged} not judged`;
  const says = didNotHold === 0 ? 'conforms to the contract' : 'violates the contract';
  // If it has stopped, there is no verdict on the service.
  const verdict = `${hasStopped ? 'stopped responding' : says}: ${counted}${why && ` (${why})`}; retries: ${retries}.`;
  (json ? printError : print)(`${baseUrl} ${verdict}`);
}
