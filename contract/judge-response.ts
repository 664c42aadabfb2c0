import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ContractCase } from './contract-case.ts';
import { PUBLISHED_ERRORS } from './errors.ts';
import { WHOLE } from './examples.ts';
import { jsonIn } from './json.ts';
import { inWordsNotOfService, notOfService } from './not-of-service.ts';
import { OPENAPI, resultSchemas } from './openapi.ts';
import type { HttpResponse } from './send-http.ts';

/** What is wrong, and the id by which the request is found in the logs. */
export interface Violation {
  readonly sentence: string;
  readonly requestId?: string | undefined;
}

/** The schemas of the responses in openapi.yaml: of the 200s, whatever the operation, and of the 400s. */
const SCHEMAS = compileSchemas(OPENAPI);

/** @throws Error if a schema has a keyword or a format that the judge does not know */
export function compileSchemas(openapi: typeof OPENAPI) {
  // Of doubles, 1.15 is no multiple of 0.01, and 13.4 none of 0.000001.
  const ajv = new Ajv2020({ allErrors: true, multipleOfPrecision: 4, ownProperties: true });
  for (const name of ['int64', 'double']) ajv.addFormat(name, true);
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i);
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
  ajv.addFormat('duration', /^P[\dA-Z]+$/);
  ajv.addFormat('uri', /^[a-z][a-z\d+.-]*:\S*$/i);
  ajv.addFormat('uuid', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i);
  ajv.addFormat('email', /^[^@\s]+@[^@\s]+$/);
  ajv.addFormat('int32', {
    type: 'number',
    validate: (n: number) => Number.isInteger(n) && n >= -(2 ** 31) && n < 2 ** 31,
  });
  const { schemas } = openapi.components;
  const notes = [...JSON.stringify(schemas).matchAll(/"(x-[^"]+)":/g)].map(([, name = '']) => name);
  for (const name of new Set(notes)) ajv.addKeyword(name);
  ajv.addSchema({ $id: 'contract', $defs: closed(schemas) });
  return {
    result: ajv.compile({ anyOf: closed(resultSchemas(openapi)) }),
    error: ajv.compile(closed(schemas.Error)),
  };
}

/** As published, objects may have properties that a later version may add; here they may not, because this version adds none. */
function closed<Schemas>(published: Schemas): Schemas {
  const text = JSON.stringify(published).replaceAll('#/components/schemas/', 'contract#/$defs/');
  return JSON.parse(text, (_, value) =>
    value?.type === 'object' && value.properties ? { ...value, additionalProperties: false } : value,
  );
}

/** Judges a response by the rules for all responses, and by the expected response. */
export function judgeResponse(response: HttpResponse, expected: ContractCase['expected']): Violation[] {
  return violations(response, [...contractRules(response), ...expectationRules(response, expected)]);
}

/** Judges a response by the rules for all responses. */
export function contractViolations(response: HttpResponse): Violation[] {
  return violations(response, contractRules(response));
}

/** A rule: whether it holds, and the violation if it does not. */
type Rule = readonly [holds: boolean, sentence: string];

function violations({ headers }: HttpResponse, rules: readonly Rule[]): Violation[] {
  const broken = rules.filter(([holds]) => !holds);
  return broken.map(([, sentence]) => ({ sentence, requestId: headers['x-request-id'] }));
}

function contractRules(response: HttpResponse): Rule[] {
  const { status, headers, body } = response;
  const foreign = notOfService(response);
  const json = jsonIn(body);
  const validate = SCHEMAS[status === 200 ? 'result' : 'error'];
  const isValid = validate(json);
  const error = status !== 200 && isValid ? (json as ErrorBody) : undefined;
  return [
    [foreign === undefined, inWordsNotOfService(foreign ?? [])],
    [status === 200 || status === 400, `status ${status}`],
    [headers['content-type'] === 'application/json', `content-type ${headers['content-type']}`],
    [headers['cache-control'] === 'no-store', `cache-control ${headers['cache-control']}`],
    [headers['x-content-type-options'] === 'nosniff', 'no nosniff'],
    [headers['set-cookie'] === undefined, 'set-cookie'],
    [isValid, `body ${shortened(body)}: ${JSON.stringify(validate.errors)}`],
    ...(error ? rulesOfErrors(error, headers) : []),
  ];
}

function expectationRules(response: HttpResponse, expected: ContractCase['expected']): Rule[] {
  const { status, body } = response;
  const returned = `returned ${status} ${shortened(body)}`;
  if (expected.status === 200)
    return [[status === 200 && body === expected.text, `${returned}, not 200 ${shortened(expected.text)}`]];
  const { error, names } = expected;
  if (errorOf(response) !== error) return [[false, `${returned}, not 400 with error ${error}`]];
  const isNamed = names === undefined || ` ${Object(jsonIn(body)).message}`.includes(` ${names} `);
  return [[isNamed, `${returned}, whose message does not name ${names}`]];
}

interface ErrorBody {
  readonly error: number;
  readonly message: string;
}

function rulesOfErrors({ error, message }: ErrorBody, headers: HttpResponse['headers']): Rule[] {
  // API Gateway renames the header.
  const challenge = headers['www-authenticate'] ?? headers['x-amzn-remapped-www-authenticate'];
  const published = PUBLISHED_ERRORS.find((each) => each.error === error);
  return [
    [message.length < 200 && message.endsWith('.'), `message: ${message}`],
    [headers['retry-after'] === published?.retryAfter?.toString(), `retry-after ${headers['retry-after']}`],
    [Boolean(published?.challenge) === Boolean(challenge?.startsWith('Bearer ')), `challenge ${challenge}`],
  ];
}

/** The number of an error response; undefined for other responses, and if it is no integer. */
export function errorOf({ status, body }: HttpResponse): number | undefined {
  const { error } = Object(status === 400 ? jsonIn(body) : undefined) as Partial<ErrorBody>;
  return Number.isInteger(error) ? error : undefined;
}

/** Any error, the whole plant, or a page of a list. */
const SHOWN_CHARACTERS = Math.max(1_000, JSON.stringify(WHOLE).length + 50);

function shortened(text: string): string {
  return text.length <= SHOWN_CHARACTERS
    ? text
    : `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)`;
}
