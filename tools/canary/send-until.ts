import { setTimeout as sleep } from 'node:timers/promises';
import { print } from '../../terminal/print.ts';
import { repeatableChecks } from '../verify/repeatable-checks.ts';
import { ObservedService, tryCheck } from './try-check.ts';

/** Between two requests, in milliseconds: 300 in ten minutes, of which a version with a tenth of the traffic gets 30. */
const PAUSE_MS = 2_000;

/** The stage to which requests are sent. */
interface Target {
  readonly stage: string;
  readonly baseUrl: string;
  readonly token: string;
}

/**
 * Sends the same requests again and again. Prints each failure, with the command that finds its cause.
 * @param over aborted when the deployment is over
 * @returns the numbers of requests and of failures
 */
export async function sendUntil(
  over: AbortSignal,
  { stage, baseUrl, token }: Target,
  pause = PAUSE_MS,
): Promise<{ sent: number; failed: number }> {
  const service = new ObservedService(baseUrl, token);
  let failed = 0;
  for (const check of forever(repeatableChecks())) {
    if (over.aborted) break;
    for (const failure of await tryCheck(check, service, stage)) {
      failed += 1;
      print(failure);
    }
    await sleep(pause, undefined, { signal: over }).catch(() => undefined);
  }
  service.close();
  return { sent: service.sent, failed };
}

function* forever<Item>(items: readonly Item[]): Generator<Item> {
  for (;;) yield* items;
}
