import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine, print } from '../../cli/print.ts';
import { errorOf, type HttpResponse } from '../../contract/judge-response.ts';
import { NotJudged } from '../../contract/placeholders.ts';
import { ERRORS } from '../../lambda/errors.ts';
import { causeOf, type HttpRequest } from '../shared/send-http.ts';
import type { Check } from '../verify/check.ts';
import { repeatableChecks } from '../verify/repeatable-checks.ts';
import { RunningService } from '../verify/running-service.ts';

/** Between two requests, in milliseconds: 300 in ten minutes, of which a version with a tenth of the traffic gets 30. */
const PAUSE_MS = 2_000;

/** The characters of an id that `npm run logs` accepts: the response may come from anyone, and the id becomes a part of a command. */
const ID = /^[\w-]{1,128}$/;

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

/** A client that keeps the responses, also those after which it repeats a request. */
class ObservedService extends RunningService {
  sent = 0;
  /** The responses that no check has judged yet. */
  readonly responses: HttpResponse[] = [];

  override async sendOnce(request: HttpRequest): Promise<HttpResponse> {
    this.sent += 1;
    const response = await super.sendOnce(request);
    this.responses.push(response);
    return response;
  }
}

/**
 * Runs a check of one request.
 * @param stage the name of the stage, whose logs have the cause of a failure
 * @returns what to print of each fault, or of the response that breaks the rule, with the command that finds its cause
 */
async function tryCheck({ rule, run }: Check, service: ObservedService, stage: string): Promise<string[]> {
  const time = new Date().toISOString().slice(11, 19);
  const failure = (what: string, response?: HttpResponse): string => {
    const request = ID.exec(response?.headers['x-request-id'] ?? '')?.[0];
    if (request === undefined) return oneLine(`${time} ${rule}: ${what}`);
    const command = `npm run logs -- --stage ${stage} --query request --request ${request}`;
    return `${oneLine(`${time} request ${request}: ${rule}: ${what}`)}\n  ${command}`;
  };
  const outcome = await run(service).catch((error: unknown) => error);
  const responses = service.responses.splice(0);
  const faults = responses.filter(isFault);
  if (faults.length > 0) return faults.map((response) => failure(response.body, response));
  if (outcome instanceof NotJudged) return [];
  if (!Array.isArray(outcome)) return [failure(`no response (${causeOf(outcome)})`)];
  return outcome.length === 0 ? [] : [failure(outcome.join('; '), responses.at(-1))];
}

/** Whether a response is one that the alarm "Faults" counts: each of the service's failures but {@link ERRORS.UNAVAILABLE}. */
function isFault(response: HttpResponse): boolean {
  const error = errorOf(response) ?? 0;
  return error >= ERRORS.SERVICE_FAULT.error && error !== ERRORS.UNAVAILABLE.error;
}
