import { isMap, LineCounter, parseDocument } from 'yaml';
import { PlainError } from '../../cli/plain-error.ts';
import { parseContract, type Schema } from '../../contract/openapi.ts';
import { jsonOf } from '../../lambda/json.ts';
import { CONTRACT, withValue } from './contract-value.ts';
import { jsonIn, judged } from './judge-property.ts';
import { mendOf } from './keyword-mends.ts';
import { normalSchema } from './normal-schema.ts';
import { offsetOf, schemasIn } from './place-in-document.ts';
import { isNote } from './property-kind.ts';
import type { Member, Source } from './property-source.ts';
import { VARIANTS, writtenInPlace } from './written-in-place.ts';

const NEW_PLANT = ['components', 'schemas', 'NewPlant'];
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
  const lineOf = (keys: readonly string[]) => lineCounter.linePos(offsetOf(document, keys)).line;
  const at = schemasIn(document);
  const report = (keys: readonly string[], what: string) => {
    const line = lineOf([...NEW_PLANT, ...keys]);
    faults.push({ line, text: `${CONTRACT}:${line}: ${what}.` });
  };

  const given: Record<string, unknown> = parseContract(text).components.schemas.NewPlant;
  const whole = writtenInPlace(given, at, (what) =>
    said.push(`${CONTRACT}:${lineOf(NEW_PLANT)}: NewPlant: ${what}.`),
  );
  const { properties, required: listed, ...rest } = whole;
  const isAsWritten = said.length === 0;
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
  else if (isAsWritten && first !== 'id')
    report(['properties', 'id'], 'id is not the first property, as in an export: move it up');
  const written: readonly string[] = Array.isArray(listed) ? listed : [];
  let contract = isAsWritten
    ? text
    : withValue(text, NEW_PLANT, { ...whole, properties: idFirst(properties) });
  const absent: string[] = [];
  const model = Object.entries<Record<string, unknown>>(idFirst(properties)).flatMap(([name, given]) => {
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
  const variants = VARIANTS.flatMap((key) => {
    const parts = rest[key];
    return Array.isArray(parts)
      ? parts.map((part, n) => ({ keys: [key, String(n)], part: Object(part) }))
      : [];
  });
  // Their properties are to be written into NewPlant.
  for (const { keys, part } of variants) {
    const inside = writtenInPlace(part, at, () => undefined);
    for (const [name, given] of Object.entries(Object(inside.properties))) {
      const { schema } = normalSchema(Object(given), at, () => undefined);
      for (const { place, path, what } of judged(name, schema, name === 'id').faults)
        report([...keys, 'properties', name, ...place], `${path} ${what}`);
    }
  }
  const required = written.filter((name) => !absent.includes(name));
  for (const name of required)
    if (!Object.hasOwn(Object(properties), name))
      report(
        ['required'],
        `NewPlant requires ${name}, which is none of its properties: write it, or leave it out of required`,
      );
  // Of a 200, the client and the cases ask what it confirms; and another plant with its id must differ.
  const isOnly = model.flatMap(({ name, schema }) => (schema.enum?.length === 1 ? name : []));
  if (variants.length === 0 && !required.some((name) => name !== 'id' && !isOnly.includes(name)))
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

function idFirst(properties: unknown): Record<string, Record<string, unknown>> {
  const { id, ...others } = Object(properties);
  return { ...(id !== undefined && { id }), ...others };
}

/** An example as a response has it. */
function returned({ type }: Source, example: unknown): unknown {
  return JSON.parse(jsonOf(type.read(jsonIn(example), { path: '' })));
}

/** A plant with the examples of some properties. */
export function exampleOf(properties: readonly Property[], index = 0): Record<string, unknown> {
  return Object.fromEntries(properties.map(({ name, schema }) => [name, schema.examples?.[index]]));
}
