import { Ajv2020 } from 'ajv/dist/2020.js';
import { isKeyText, keyLike } from '../../contract/key-like.ts';
import type { Schema } from '../../contract/openapi.ts';
import { Failure } from '../../lambda/errors.ts';
import { type Json, NumberLiteral } from '../../lambda/json.ts';
import { hasMore } from '../shared/has-more.ts';
import { faultOfName } from './property-name.ts';
import { type Source, sourceOf } from './property-source.ts';
import { type Fault, faultsOf, isRegExp } from './schema-faults.ts';

/** A decimal place of a double is not exact. */
const AJV = new Ajv2020({
  strict: false,
  validateFormats: false,
  multipleOfPrecision: 4,
  ownProperties: true,
});

/** The longest message of an error: test/contract/openapi.test.ts. */
const LONGEST_MESSAGE = 199;

/** All that is wrong with a property, and its source if its type can be made. */
export function judged(
  name: string,
  schema: Schema,
  required: boolean,
): { faults: Fault[]; source?: Source } {
  const fault = (what: string): Fault => ({ place: [], path: name, what });
  const ofName = faultOfName(name, true);
  const ofKeywords = faultsOf(schema, name);
  const faults = [
    ...(ofName ? [fault(ofName)] : []),
    ...ofKeywords,
    ...(name === 'id' ? faultsOfKey(schema, required) : []).map(fault),
  ];
  const { examples = [], description } = schema;
  if (description === undefined) faults.push(fault('needs a description: write what it is'));
  const isOnly = schema.enum?.length === 1;
  if (!Array.isArray(examples) || (!isOnly && new Set(examples.map((each) => JSON.stringify(each))).size < 2))
    return { faults: [...faults, fault('needs two examples that differ: write examples: [one, another]')] };
  const problem = ofKeywords.length > 0 ? undefined : problemOf(schema);
  if (problem) faults.push(fault(problem));
  const source = ofKeywords.length > 0 || problem ? undefined : sourceOf(schema);
  const refuse = source ? (example: unknown) => refusalOf(source, example, name) : checkOf(schema, name);
  for (const example of examples) {
    const refusal = refuse(example);
    if (refusal)
      faults.push(
        fault(`has the example ${JSON.stringify(example)}, which is refused (${refusal}): correct it`),
      );
  }
  if (numbersIn(examples).some((each) => Math.abs(each) > Number.MAX_SAFE_INTEGER))
    faults.push(
      fault(
        `has an example beyond ±${Number.MAX_SAFE_INTEGER}, which the cases cannot write: write smaller ones`,
      ),
    );
  if (/[⟨⟩]/.test(JSON.stringify(examples)))
    faults.push(fault('has an example with ⟨ or ⟩, in which the cases have placeholders: write another one'));
  if (source && `${name} is missing; it must be ${source.type.mustBe}.`.length > LONGEST_MESSAGE)
    faults.push(
      fault(
        `makes messages of more than ${LONGEST_MESSAGE} characters: write a shorter name or a shorter example`,
      ),
    );
  return { faults, ...(source && { source }) };
}

/** What JSON Schema says of a schema whose keywords are known. */
function problemOf(schema: Schema): string | undefined {
  AJV.validateSchema(schema);
  const { instancePath, message } = AJV.errors?.[0] ?? {};
  return message && `is no JSON Schema (${instancePath?.slice(1)} ${message}): correct it`;
}

/** The check of an example by the keywords that JSON Schema has, of a schema that has others, too. */
function checkOf(schema: Schema, dataVar: string): (example: unknown) => string | undefined {
  try {
    const check = AJV.compile(schema);
    return (example) => (check(example) ? undefined : AJV.errorsText(check.errors, { dataVar }));
  } catch {
    // What is wrong with it has been told.
    return () => undefined;
  }
}

function faultsOfKey(schema: Schema, required: boolean): string[] {
  const { type, format, pattern } = schema;
  // A pattern that is none is told by itself; the rest is judged as with one.
  const text = isRegExp(pattern) ? schema : { ...schema, pattern: '.' };
  const isText = type === 'string' && pattern !== undefined && isKeyText(text);
  const isKey =
    (type === 'integer' && format === 'int64' && !schema.enum) ||
    (type === 'string' && format === 'uuid') ||
    isText;
  return [
    ...(required ? [] : ['must be required: write it into required']),
    ...(isKey
      ? faultOfNumbering(schema)
      : [
          'must be an int64, a UUID, or a text of up to 512 characters with a pattern that the empty text does not match: write one of these',
        ]),
  ];
}

function faultOfNumbering(schema: Schema): string[] {
  try {
    keyLike(schema);
    return [];
  } catch (error) {
    return [
      `cannot be numbered by the tests (${(error as Error).message.replace(/\.$/, '')}): write other examples`,
    ];
  }
}

/** Why the function would refuse an example. */
function refusalOf({ type }: Source, example: unknown, path: string): string | undefined {
  try {
    const sent = jsonIn(example);
    return hasMore(sent, type.read(sent, { path }))
      ? 'a part of it has no property, and is not kept'
      : undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message.replace(/\.$/, '');
    throw error;
  }
}

/** An example as the function parses it. */
export function jsonIn(value: unknown): Json {
  if (typeof value === 'number') return new NumberLiteral(String(value));
  if (Array.isArray(value)) return value.map(jsonIn);
  if (typeof value === 'object' && value !== null)
    return new Map(Object.entries(value).map(([name, each]) => [name, jsonIn(each)]));
  return value as Json;
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
