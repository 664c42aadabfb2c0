import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine, print } from '../cli/print.ts';
import { caseChecks } from './case-checks.ts';
import { type Check, inWords, runCheck } from './run-checks.ts';
import { serviceAt } from './service-under-test.ts';

/** The stage that is checked while it is deployed. */
interface CheckedStage {
  readonly baseUrl: string;
  /** A valid access token. */
  readonly token: string;
  /** Gets another token, because this one may expire before the deployment is over; if it fails, the earlier one is used. */
  readonly renew?: (() => Promise<string>) | undefined;
  /** The stage's name. */
  readonly name: string;
  /** The share of the new version, from 0 to 1. */
  readonly share: () => Promise<number>;
}

/** How many checks had which result. */
export interface Counts {
  held: number;
  failures: number;
  throttled: number;
  /** The probability that a version which fails one request in ten would have passed: each request reaches it with its share of the traffic. */
  overlooked: number;
}

/** Between two checks, in milliseconds: some 600 checks in ten minutes, with 800 requests. */
const PAUSE_MS = 1_000;
/** After so many checks, about a minute, the token is renewed. */
const CHECKS_PER_TOKEN = 60;
/** After so many checks, Lambda is asked again which versions serve. */
const CHECKS_PER_LOOK = 10;

const CHECKS = caseChecks({ write: false, everyId: false }).filter(({ canary }) => canary);

/**
 * Makes the same checks again and again, until the deployment is over. Prints each failure, with the command that finds its cause.
 * @param over aborted when the deployment is over
 * @param stage the checks go on if its share is not known
 * @param pause between two checks, in milliseconds
 */
export async function checkUntil(
  over: AbortSignal,
  { baseUrl, token, name, share, renew }: CheckedStage,
  pause = PAUSE_MS,
): Promise<Counts> {
  let service = serviceAt(baseUrl, token, { isOnce: true });
  const counts: Counts = { held: 0, failures: 0, throttled: 0, overlooked: 1 };
  let shareOfNew = 0;
  for (let n = 0; !over.aborted; n += 1) {
    if (n % CHECKS_PER_LOOK === 0) shareOfNew = await share().catch(() => 0);
    if (renew && n > 0 && n % CHECKS_PER_TOKEN === 0) {
      const latest = await renew().catch(() => undefined);
      if (latest !== undefined) {
        service.close();
        service = serviceAt(baseUrl, latest, { isOnce: true });
      }
    }
    const sentBefore = service.counts.sent;
    const time = new Date().toISOString().slice(11, 19);
    const { verdict, rule, reasons } = await runCheck(CHECKS[n % CHECKS.length] as Check, service);
    if (verdict === 'not judged') {
      counts.throttled += 1;
    } else {
      // At a share of 1, the canary is over.
      const perRequest = shareOfNew < 1 ? 1 - shareOfNew / 10 : 1;
      counts.overlooked *= perRequest ** (service.counts.sent - sentBefore);
    }
    if (verdict === 'held') counts.held += 1;
    if (verdict === 'did not hold') {
      counts.failures += 1;
      const line = oneLine(`${time} ${rule}: ${reasons.map(inWords).join('; ')}`);
      const id = reasons.find(({ requestId }) => requestId !== undefined)?.requestId ?? '';
      const command = `npm run logs -- --stage ${name} --query request --request ${id}`;
      // The response may come from anyone, and the id becomes a part of a command.
      print(/^[\w-]{1,128}$/.test(id) ? `${line}\n  ${command}` : line);
    }
    await sleep(pause, undefined, { signal: over }).catch(() => undefined);
  }
  return counts;
}
