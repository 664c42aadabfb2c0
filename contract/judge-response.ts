import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ContractCase } from './contract-case.ts';
import { WHOLE } from './examples.ts';
import { OPENAPI } from './openapi.ts';

/** A response. Header names are in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/**
 * The schemas of responses in openapi.yaml. As published, they allow properties that a later version may add; these do not,
 * because this version adds none.
 */
const SCHEMAS = compileSchemas(OPENAPI);

/** @throws Error if a schema has a keyword or a format that the judge does not know */
export function compileSchemas(openapi: typeof OPENAPI) {
  // Of doubles, 1.15 is no multiple of 0.01.
  const ajv = new Ajv2020({ allErrors: true, multipleOfPrecision: 9 });
  ajv.addFormat('int64', true);
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i);
  ajv.addFormat('int32', {
    type: 'number',
    validate: (n: number) => Number.isInteger(n) && n >= -(2 ** 31) && n < 2 ** 31,
  });
  const schema = (name: 'Plant' | 'Error') => {
    const published = openapi.components.schemas[name];
    return ajv.compile({ ...published, propertyNames: { enum: Object.keys(published.properties) } });
  };
  return { Plant: schema('Plant'), Error: schema('Error') };
}

/** The errors after which a client should retry, and the seconds to wait. */
const RETRY_AFTER: Partial<Record<number, string>> = { 42901: '1', 50301: '2', 50401: '2' };

/**
 * Judges a response by the contract and by the expected response.
 * @returns a sentence for each violation
 */
export function judgeResponse(response: HttpResponse, expected: ContractCase['expected']): string[] {
  return [...contractViolations(response), ...expectationViolations(response, expected)];
}

/**
 * Judges a response by the rules for all responses.
 * @returns a sentence for each violation
 */
export function contractViolations({ status, headers, body }: HttpResponse): string[] {
  const wrong: string[] = [];
  const must = (holds: boolean, sentence: string) => {
    if (!holds) wrong.push(sentence);
  };
  must(status === 200 || status === 400, `status ${status}`);
  must(headers['content-type'] === 'application/json', `content-type ${headers['content-type']}`);
  must(headers['cache-control'] === 'no-store', `cache-control ${headers['cache-control']}`);
  must(headers['x-content-type-options'] === 'nosniff', 'no nosniff');
  must(Boolean(headers['x-request-id']), 'no x-request-id');
  must(headers['set-cookie'] === undefined, 'set-cookie');
  const json = parsed(body);
  const validate = SCHEMAS[status === 200 ? 'Plant' : 'Error'];
  const isValid = validate(json);
  must(isValid, `body ${shortened(body)}: ${JSON.stringify(validate.errors)}`);
  if (status !== 200 && isValid) wrong.push(...errorViolations(json as ErrorBody, headers));
  return wrong;
}

function expectationViolations({ status, body }: HttpResponse, expected: ContractCase['expected']): string[] {
  if (expected.status === 200) {
    const plant = JSON.stringify(expected.plant);
    const isExpected = status === 200 && body === plant;
    return isExpected ? [] : [`returned ${status} ${shortened(body)}, not 200 ${shortened(plant)}`];
  }
  const { error, message } = (parsed(body) ?? {}) as Partial<ErrorBody>;
  if (status !== 400 || error !== expected.error)
    return [`returned ${status} ${shortened(body)}, not 400 with error ${expected.error}`];
  const says = expected.message === undefined || String(message).includes(expected.message);
  return says ? [] : [`the message "${message}" does not say "${expected.message}"`];
}

interface ErrorBody {
  readonly error: number;
  readonly message: string;
}

function errorViolations({ error, message }: ErrorBody, headers: HttpResponse['headers']): string[] {
  // API Gateway renames the header.
  const challenge = headers['www-authenticate'] ?? headers['x-amzn-remapped-www-authenticate'];
  const wrong: string[] = [];
  if (message.length >= 200 || !message.endsWith('.')) wrong.push(`message: ${message}`);
  if (headers['retry-after'] !== RETRY_AFTER[error]) wrong.push(`retry-after ${headers['retry-after']}`);
  if ((error === 40101 || error === 40102) !== Boolean(challenge?.startsWith('Bearer ')))
    wrong.push(`challenge ${challenge}`);
  return wrong;
}

/** The number of an error response; undefined for other responses, and if it is no integer. */
export function errorOf({ status, body }: HttpResponse): number | undefined {
  const { error } = (status === 400 ? (parsed(body) ?? {}) : {}) as Partial<ErrorBody>;
  return Number.isInteger(error) ? error : undefined;
}

/** @returns the JSON value, or undefined if the text is not JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Any error, or the whole plant. */
const SHOWN_CHARACTERS = Math.max(250, JSON.stringify(WHOLE).length + 50);

function shortened(text: string): string {
  return text.length <= SHOWN_CHARACTERS
    ? text
    : `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)`;
}
