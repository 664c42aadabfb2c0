import type { ContractCase } from '../../contract/cases.ts';
import { SCHEMAS } from './openapi-schemas.ts';

/** An answer, however it came. Header names are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Which errors tell a client to send the same request again, and after how many seconds. */
const RETRY_AFTER: Partial<Record<number, string>> = { 42901: '1', 50301: '2', 50401: '2' };

/**
 * What is wrong with an answer, whatever was asked: nothing, for every answer that the contract allows.
 * @returns a sentence for each thing that is wrong
 */
export function contractViolations({ status, headers, body }: Answer): string[] {
  const wrong: string[] = [];
  const must = (holds: boolean, sentence: string) => {
    if (!holds) wrong.push(sentence);
  };
  must(status === 200 || status === 400, `status ${status}`);
  must(headers['content-type'] === 'application/json', `content-type ${headers['content-type']}`);
  must(headers['cache-control'] === 'no-store', `cache-control ${headers['cache-control']}`);
  must(headers['x-content-type-options'] === 'nosniff', 'no nosniff');
  must(Boolean(headers['x-request-id']), 'no x-request-id');
  const json = parsed(body);
  const validate = SCHEMAS[status === 200 ? 'Plant' : 'Error'];
  const isValid = validate(json);
  must(isValid, `body ${shortened(body)}: ${JSON.stringify(validate.errors)}`);
  if (status !== 200 && isValid) wrong.push(...errorViolations(json as ErrorBody, headers));
  return wrong;
}

/**
 * What is wrong with an answer to a case, apart from what {@link contractViolations} says of any answer.
 * @returns a sentence for each thing that is wrong
 */
export function expectationViolations(
  { expected }: Pick<ContractCase, 'expected'>,
  answer: Answer,
): string[] {
  const { status, body } = answer;
  if (expected.status === 200) {
    const plant = JSON.stringify(expected.plant);
    return body === plant ? [] : [`answered ${status} ${shortened(body)}, not ${shortened(plant)}`];
  }
  const { error, message } = (parsed(body) ?? {}) as Partial<ErrorBody>;
  if (status !== 400 || error !== expected.error)
    return [`answered ${status} ${shortened(body)}, not 400 with error ${expected.error}`];
  const says = expected.message === undefined || String(message).includes(expected.message);
  return says ? [] : [`the message "${message}" does not say "${expected.message}"`];
}

interface ErrorBody {
  readonly error: number;
  readonly message: string;
}

function errorViolations({ error, message }: ErrorBody, headers: Answer['headers']): string[] {
  const challenge = headers['www-authenticate'] ?? headers['x-amzn-remapped-www-authenticate'];
  const wrong: string[] = [];
  if (message.length >= 200 || !message.endsWith('.')) wrong.push(`message: ${message}`);
  if (headers['retry-after'] !== RETRY_AFTER[error]) wrong.push(`retry-after ${headers['retry-after']}`);
  if ((error === 40101 || error === 40102) !== Boolean(challenge?.startsWith('Bearer ')))
    wrong.push(`challenge ${challenge}`);
  return wrong;
}

/** @returns the JSON value, or undefined when the text is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SHOWN_CHARACTERS = 160;

function shortened(text: string): string {
  return text.length <= SHOWN_CHARACTERS
    ? text
    : `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)`;
}
