import { EXIT } from '../../cli/command-line.ts';
import { print, printError } from '../../cli/print.ts';
import { progressBar } from '../../cli/progress.ts';
import { caseChecks, lengthChecks, NO_WRITE, type Permission } from './case-checks.ts';
import { type Check, notJudged, runChecks } from './check.ts';
import { requireService } from './first-response.ts';
import { gatewayChecks } from './gateway-checks.ts';
import { plantChecks, VERIFY_BODY } from './plant-checks.ts';
import { raceChecks } from './race-checks.ts';
import { COLORS, report, summaryOf } from './report.ts';
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
    const progress = progressBar(checks.length);
    const results = await runChecks(checks, service, progress).finally(() => progress());
    const { counts, conforms, verdict } = summaryOf(results);
    if (json) print(JSON.stringify({ baseUrl, ...counts, results }, null, 2));
    else if (counts.didNotHold > 0) print(`${report(results)}\n`, COLORS);
    (json ? printError : print)(`${baseUrl} ${verdict}`);
    if (!conforms) process.exitCode = EXIT.failed;
  } finally {
    service.close();
  }
}

/** All checks, also those that are only listed because they may not be sent. */
export function checksFor(permission: Permission): Check[] {
  const races = raceChecks().map((race) => (permission.write ? race : { ...race, run: notJudged(NO_WRITE) }));
  const stored = { group: 'the plant', rule: 'nothing that is refused is stored', run: notJudged(NO_WRITE) };
  return [
    ...plantChecks(),
    ...caseChecks(permission),
    ...lengthChecks(permission),
    ...gatewayChecks(permission.origins),
    ...races,
    ...(permission.write ? [] : [stored]),
  ];
}
