import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine, print } from '../../cli/print.ts';
import type { ContractCase } from '../../contract/contract-case.ts';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import {
  contractViolations,
  errorOf,
  type HttpResponse,
  judgeResponse,
} from '../../contract/judge-response.ts';
import { ERRORS } from '../../lambda/errors.ts';
import { causeOf, type HttpRequest, sendHttp } from '../shared/send-http.ts';
import { VERIFY_IDS } from '../verify/ids.ts';
import { OTHERS, TAKEN, VERIFY_BODY } from '../verify/plant-checks.ts';

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

/** A request, and the response that it must get. */
interface Question {
  /** A statement of behavior. */
  readonly rule: string;
  readonly request: HttpRequest;
  readonly expected: ContractCase['expected'];
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
  for (const question of forever(questions(token))) {
    if (over.aborted) break;
    counts.sent += 1;
    const time = new Date().toISOString().slice(11, 19);
    const { wrong, response } = await ask(baseUrl, question);
    if (response && isThrottled(response)) counts.throttled += 1;
    else if (wrong.length > 0) {
      counts.failed += 1;
      print(failureLines(time, `${question.rule}: ${wrong.join('; ')}`, stage, response));
    }
    await sleep(pause, undefined, { signal: over }).catch(() => undefined);
  }
  return counts;
}

/**
 * They may be repeated for as long as a deployment takes: none is large or has an invalid token, which would set off an alarm.
 * They create one plant, the same as every verification, which every second request sends: it needs the whole of the function.
 */
function questions(token: string): Question[] {
  const question = (
    rule: string,
    body: string,
    expected: Question['expected'],
    type = 'application/json',
  ): Question => {
    const headers = [
      ['content-type', type],
      ['authorization', `Bearer ${token}`],
    ] as const;
    return { rule, request: { headers, body }, expected };
  };
  const refused = (error: number) => ({ status: 400, error }) as const;
  const stored = question('the plant is stored, now or before', VERIFY_BODY, { status: 200, plant: WHOLE });
  return [
    ...OTHERS.map(([what, other]) => question(`${what} is refused`, bodyOf(VERIFY_IDS.first, other), TAKEN)),
    question('a body that is not JSON is refused', '{', refused(40001)),
    question('a plant without properties is refused', '{}', refused(40002)),
    question('another media type is refused', VERIFY_BODY, refused(41501), 'text/plain'),
  ].flatMap((other) => [stored, other]);
}

function* forever<Item>(items: readonly Item[]): Generator<Item> {
  for (;;) yield* items;
}

function isThrottled(response: HttpResponse): boolean {
  return errorOf(response) === ERRORS.TOO_MANY_REQUESTS.error && contractViolations(response).length === 0;
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
