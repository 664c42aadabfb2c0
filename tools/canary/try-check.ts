import { ERRORS } from '../../lambda/errors.ts';
import { type Answer, errorOf } from '../service/judge-answer.ts';
import { NotJudged } from '../service/placeholders.ts';
import { RunningService } from '../service/running-service.ts';
import { causeOf, type HttpRequest } from '../service/send-http.ts';
import type { Check } from '../verify/check.ts';

/** A request that showed a failure of the service. */
export interface FailedRequest {
  /** When it was sent, in milliseconds since the epoch. */
  readonly at: number;
  /** Its `x-request-id`; undefined if there was no answer, or none with an id that `npm run logs` accepts. */
  readonly request: string | undefined;
  readonly what: string;
}

/** The characters of an id: the answer may come from anyone, and the id becomes a part of a command. */
const ID = /^[\w-]{1,128}$/;

/** A client that keeps the answers, also those after which it repeats a request. */
export class ObservedService extends RunningService {
  sent = 0;
  /** The answers that no check has judged yet. */
  readonly answers: Answer[] = [];

  override async sendOnce(request: HttpRequest): Promise<Answer> {
    this.sent += 1;
    const answer = await super.sendOnce(request);
    this.answers.push(answer);
    return answer;
  }
}

/** Runs a check of one request. @returns a failure for each fault, or one for the answer that breaks the rule */
export async function tryCheck({ rule, run }: Check, service: ObservedService): Promise<FailedRequest[]> {
  const at = Date.now();
  const failure = (what: string, answer?: Answer): FailedRequest => ({
    at,
    request: ID.exec(answer?.headers['x-request-id'] ?? '')?.[0],
    what: `${rule}: ${what}`,
  });
  const outcome = await run(service).catch((error: unknown) => error);
  const answers = service.answers.splice(0);
  const faults = answers.filter(isFault);
  if (faults.length > 0) return faults.map((answer) => failure(answer.body, answer));
  if (outcome instanceof NotJudged) return [];
  if (!Array.isArray(outcome)) return [failure(`no answer (${causeOf(outcome)})`)];
  return outcome.length === 0 ? [] : [failure(outcome.join('; '), answers.at(-1))];
}

/** Whether an answer is one that the alarm "Faults" counts: each of the service's failures but {@link ERRORS.UNAVAILABLE}. */
function isFault(answer: Answer): boolean {
  const error = errorOf(answer) ?? 0;
  return error >= ERRORS.SERVICE_FAULT.error && error !== ERRORS.UNAVAILABLE.error;
}
