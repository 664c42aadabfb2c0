import { print, printError } from '../../infra/terminal.ts';
import { EXIT } from '../command-line.ts';
import { progressBar } from '../progress.ts';
import { caseChecks } from './case-checks.ts';
import { type Check, runChecks } from './check.ts';
import { requireService } from './first-answer.ts';
import { gatewayChecks } from './gateway-checks.ts';
import { plantChecks, VERIFY_BODY } from './plant-checks.ts';
import { raceChecks } from './race-checks.ts';
import { COLOURS, report, summaryOf, verdictOf } from './report.ts';
import { Service } from './service.ts';

/**
 * Tests a service, prints the results and the verdict, and sets the exit code.
 * @param baseUrl with or without a trailing slash or a stage's path
 * @param write whether to create more than one plant
 * @param json whether to print the results as JSON
 * @throws PlainError if the service does not accept a valid plant
 */
export async function verify(baseUrl: string, token: string, write: boolean, json: boolean): Promise<void> {
  const service = new Service(baseUrl, token);
  try {
    await requireService(service, VERIFY_BODY);
    const checks = checksFor(write);
    const progress = progressBar(checks.length);
    const results = await runChecks(checks, service, progress);
    progress();
    const summary = summaryOf(results);
    if (json) print(JSON.stringify({ baseUrl, ...summary, results }, null, 2));
    else print(`${report(results)}\n`, COLOURS);
    (json ? printError : print)(verdictOf(summary, baseUrl));
    if (summary.didNotHold > 0 || summary.hasStopped) process.exitCode = EXIT.failed;
  } finally {
    service.close();
  }
}

/** All checks. @param write whether to create more than one plant */
export function checksFor(write: boolean): Check[] {
  return [...plantChecks(), ...caseChecks(write), ...gatewayChecks(), ...(write ? raceChecks() : [])];
}
