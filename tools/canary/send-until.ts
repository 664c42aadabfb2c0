import { setTimeout as sleep } from 'node:timers/promises';
import { print } from '../../terminal/print.ts';
import { explain } from '../stage/aws.ts';
import { repeatableChecks } from '../verify/repeatable-checks.ts';
import { Failures } from './failures.ts';
import type { FunctionLog } from './function-log.ts';
import type { Traffic } from './traffic.ts';
import { ObservedService, tryCheck } from './try-check.ts';

/** Times in milliseconds. */
const PACE = {
  /** Between two requests: 300 in ten minutes, of which a version with a tenth of the traffic gets 30. */
  check: 2_000,
  /** Between two readings of the log. */
  log: 5_000,
};

/** Where to send requests, and where to read what became of them. */
interface Subject {
  readonly baseUrl: string;
  readonly token: string;
  readonly log: FunctionLog;
  readonly traffic: Traffic;
}

/**
 * Sends the same requests again and again, except while clients send enough requests. Prints a line for each failure, and in
 * the end which versions answered.
 * @param over aborted when the deployment is over
 * @returns the number of failures
 */
export async function sendUntil(
  over: AbortSignal,
  { baseUrl, token, log, traffic }: Subject,
  pace = PACE,
): Promise<number> {
  const startedAt = Date.now();
  const service = new ObservedService(baseUrl, token);
  const failures = new Failures(log);
  const pause = (ms: number) => sleep(ms, undefined, { signal: over }).catch(() => undefined);
  let readAt = startedAt;
  for (const check of forever(repeatableChecks())) {
    if (over.aborted) break;
    if (!(await traffic.isEnough())) failures.add(...(await tryCheck(check, service)));
    if (Date.now() - readAt >= pace.log) {
      await failures.lookUp();
      readAt = Date.now();
    }
    await pause(pace.check);
  }
  service.close();
  while (failures.areWaiting) {
    await failures.lookUp();
    if (failures.areWaiting) await sleep(pace.log);
  }
  print(await versionsIn(log, startedAt, service.sent));
  return failures.count;
}

/** Which versions answered our requests, in one sentence. @param from milliseconds since the epoch @param sent how many requests */
async function versionsIn(log: FunctionLog, from: number, sent: number): Promise<string> {
  const found = await log.read(from).catch(explain);
  if (typeof found === 'string') return `${sent} requests; it is not known which version answered: ${found}`;
  const counts = Map.groupBy(found.versions.values(), (version) => version);
  const each = [...counts].map(([version, own]) => `version ${version} answered ${own.length}`);
  const missing = sent - found.versions.size;
  return `${sent} requests: ${[...each, ...(missing > 0 ? [`${missing} have no log line`] : [])].join(', ')}.`;
}

function* forever<Item>(items: readonly Item[]): Generator<Item> {
  for (;;) yield* items;
}
