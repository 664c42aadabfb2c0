import { Ajv2020 } from 'ajv/dist/2020.js';
import { isMap, isNode, LineCounter, type Pair, parseDocument } from 'yaml';
import { PlainError } from '../../cli/plain-error.ts';
import { keyLike } from '../../contract/key-like.ts';
import { parseContract, type Schema } from '../../contract/openapi.ts';
import { Failure } from '../../lambda/errors.ts';
import { type Json, jsonOf, NumberLiteral } from '../../lambda/json.ts';
import { hasMore } from '../shared/has-more.ts';
import { CONTRACT, withValue } from './contract-value.ts';
import { mendOf } from './keyword-mends.ts';
import { normalSchema } from './normal-schema.ts';
import { isNote } from './property-kind.ts';
import { faultOfName } from './property-name.ts';
import { type Member, type Source, sourceOf } from './property-source.ts';
import { type Fault, faultsOf } from './schema-faults.ts';

const NEW_PLANT = ['components', 'schemas', 'NewPlant'];
/** A decimal place of a double is not exact. */
const AJV = new Ajv2020({
  strict: false,
  validateFormats: false,
  multipleOfPrecision: 4,
  ownProperties: true,
});

/** The longest message of an error: test/contract/openapi.test.ts. */
const LONGEST_MESSAGE = 199;

/** A property of a plant. */
export interface Property extends Member {
  readonly schema: Schema;
}

/** NewPlant, read. */
export interface Model {
  readonly properties: readonly Property[];
  /** The text of openapi.yaml, in which NewPlant is written as it is read. */
  readonly contract: string;
  /** What it was not written as, each with its line. */
  readonly said: readonly string[];
}

/**
 * Reads NewPlant, the one place that says which properties a plant has.
 * @throws PlainError with all that is wrong with it, a line each: the line of openapi.yaml, the property, and what to write
 */
export function readModel(text: string): Model {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const said: string[] = [];
  const faults: { readonly line: number; readonly text: string }[] = [];
  const lineOf = (keys: readonly string[]) => lineCounter.linePos(offsetOf(document.contents, keys)).line;
  const at = (pointer: string) => {
    const keys = pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const found: unknown = keys[0] === '#' ? document.getIn(keys.slice(1), true) : undefined;
    return isMap(found) ? (found.toJS(document) as Record<string, unknown>) : undefined;
  };
  const report = (keys: readonly string[], what: string) => {
    const line = lineOf([...NEW_PLANT, ...keys]);
    faults.push({ line, text: `${CONTRACT}:${line}: ${what}.` });
  };

  const { properties, required: listed, ...rest } = parseContract(text).components.schemas.NewPlant;
  for (const [key, value] of Object.entries(rest))
    if (
      !(key === 'type' && value === 'object') &&
      !isNote(key) &&
      !(key === 'additionalProperties' && value === true)
    )
      report([key], `NewPlant has the keyword ${key}: ${key === 'type' ? 'write object' : mendOf(key)}`);
  const nodes = document.getIn([...NEW_PLANT, 'properties']);
  const first = isMap(nodes) ? String(nodes.items[0]?.key) : undefined;
  if (!Object.hasOwn(Object(properties), 'id'))
    report([], 'NewPlant needs the property id, the key of the table: write it');
  else if (first !== 'id')
    report(['properties', 'id'], 'id is not the first property, as in an export: move it up');
  const written: readonly string[] = Array.isArray(listed) ? listed : [];
  let contract = text;
  const absent: string[] = [];
  const model = Object.entries<Record<string, unknown>>(Object(properties)).flatMap(([name, given]) => {
    const place = ['properties', name];
    const notes: string[] = [];
    const say = (inside: readonly string[], what: string) =>
      notes.push(
        `${CONTRACT}:${lineOf([...NEW_PLANT, ...place, ...inside])}: ${[name, ...inside].join('.')}: ${what}.`,
      );
    const { isNullable, ...normal } = normalSchema(Object(given), at, say);
    let { schema } = normal;
    if (isNullable) absent.push(name);
    const isRequired = written.includes(name) && !isNullable;
    const { faults: found, source } = judged(name, schema, isRequired);
    for (const { place: inside, path, what } of found) report([...place, ...inside], `${path} ${what}`);
    if (source && found.length === 0) {
      const examples = schema.examples?.map((each) => returned(source, each));
      if (JSON.stringify(examples) !== JSON.stringify(schema.examples)) {
        schema = { ...schema, ...(examples && { examples }) };
        say([], 'its examples are in the order in which the service returns them');
      }
    }
    if (notes.length > 0) contract = withValue(contract, [...NEW_PLANT, ...place], schema);
    said.push(...notes);
    return source ? [{ name, schema, required: isRequired, source }] : [];
  });
  const required = written.filter((name) => !absent.includes(name));
  for (const name of required)
    if (!Object.hasOwn(Object(properties), name))
      report(
        ['required'],
        `NewPlant requires ${name}, which is none of its properties: write it, or leave it out of required`,
      );
  // Of a 200, the client and the cases ask what it confirms; and another plant with its id must differ.
  const isOnly = model.flatMap(({ name, schema }) => (schema.enum?.length === 1 ? name : []));
  if (!required.some((name) => name !== 'id' && !isOnly.includes(name)))
    report(
      ['required'],
      'NewPlant requires nothing but id that may have two values, so a response would confirm nothing: require another property',
    );
  if (faults.length > 0) {
    const inOrder = faults.toSorted((a, b) => a.line - b.line);
    throw new PlainError(inOrder.map((each) => each.text).join('\n'));
  }
  if (required.length < written.length) contract = withValue(contract, [...NEW_PLANT, 'required'], required);
  return { properties: model, contract, said };
}

/** The deepest of some keys that is there. */
function offsetOf(contents: unknown, keys: readonly string[]): number {
  let [node, offset] = [contents, 0];
  for (const key of keys) {
    const pair: Pair | undefined = isMap(node)
      ? node.items.find((each) => String(each.key) === key)
      : undefined;
    if (!pair) break;
    offset = (isNode(pair.key) && pair.key.range?.[0]) || offset;
    node = pair.value;
  }
  return offset;
}

/** All that is wrong with a property, and its source if its type can be made. */
function judged(name: string, schema: Schema, required: boolean): { faults: Fault[]; source?: Source } {
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

/** DynamoDB refuses an empty key, and one of over 2,048 bytes (developer guide, "Quotas"). */
function faultsOfKey(schema: Schema, required: boolean): string[] {
  const { type, format, pattern, maxLength = Infinity } = schema;
  const isText = type === 'string' && pattern !== undefined && maxLength <= 512 && !mayBeEmpty(pattern);
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

function mayBeEmpty(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test('');
  } catch {
    // It is told as no JSON Schema.
    return false;
  }
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

/** An example as a response has it. */
function returned({ type }: Source, example: unknown): unknown {
  return JSON.parse(jsonOf(type.read(jsonIn(example), { path: '' })));
}

/** An example as the function parses it. */
function jsonIn(value: unknown): Json {
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

/** A plant with the examples of some properties. */
export function exampleOf(properties: readonly Property[], index = 0): Record<string, unknown> {
  return Object.fromEntries(properties.map(({ name, schema }) => [name, schema.examples?.[index]]));
}
