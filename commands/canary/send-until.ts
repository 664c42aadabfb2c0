import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine, print } from '../../cli/print.ts';
import { errorOf, type HttpResponse, judgeResponse } from '../../contract/judge-response.ts';
import { ERRORS } from '../../lambda/errors.ts';
import { causeOf, sendHttp } from '../shared/send-http.ts';
import { canaryRequests, type Question } from './requests.ts';

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
 * Sends the same requests one after the other, each on a connection of its own, until the deployment is over. None is sent
 * again, because the repeat might reach the earlier version. Prints each failure, with the command that finds its cause.
 * @param over aborted when the deployment is over
 * @returns the numbers of requests, of failures, and of requests that were throttled, which is not the version's fault
 */
export async function sendUntil(
  over: AbortSignal,
  { stage, baseUrl, token }: Target,
  pause = PAUSE_MS,
): Promise<{ sent: number; failed: number; throttled: number }> {
  const counts = { sent: 0, failed: 0, throttled: 0 };
  for (const question of forever(canaryRequests(token))) {
    if (over.aborted) break;
    counts.sent += 1;
    const time = new Date().toISOString().slice(11, 19);
    const { wrong, response } = await ask(baseUrl, question);
    if (response !== undefined && errorOf(response) === ERRORS.TOO_MANY_REQUESTS.error) counts.throttled += 1;
    else if (wrong.length > 0) {
      counts.failed += 1;
      print(failureLines(time, `${question.rule}: ${wrong.join('; ')}`, stage, response));
    }
    await sleep(pause, undefined, { signal: over }).catch(() => undefined);
  }
  return counts;
}

function* forever<Item>(items: readonly Item[]): Generator<Item> {
  for (;;) yield* items;
}

async function ask(
  baseUrl: string,
  { request, expected }: Question,
): Promise<{ wrong: string[]; response?: HttpResponse }> {
  try {
    const response = await sendHttp(baseUrl, request);
    return { wrong: judgeResponse(response, expected), response };
  } catch (error) {
    return { wrong: [`no response (${causeOf(error)})`] };
  }
}

/** What to print of a failure. @param stage the name of the stage, whose logs have the cause */
function failureLines(time: string, what: string, stage: string, response: HttpResponse | undefined): string {
  const request = ID.exec(response?.headers['x-request-id'] ?? '')?.[0];
  if (request === undefined) return oneLine(`${time} ${what}`);
  const command = `npm run logs -- --stage ${stage} --query request --request ${request}`;
  return `${oneLine(`${time} request ${request}: ${what}`)}\n  ${command}`;
}
