import { Ajv2020 } from 'ajv/dist/2020.js';
import { isMap, isNode, LineCounter, parseDocument } from 'yaml';
import { PlainError } from '../../cli/plain-error.ts';
import type { Schema } from '../../contract/openapi.ts';
import { faultOfName } from './property-name.ts';

export const CONTRACT = 'contract/openapi.yaml';

/** A decimal place of a double is not exact. */
const AJV = new Ajv2020({
  strict: false,
  validateFormats: false,
  multipleOfPrecision: 4,
  ownProperties: true,
});

/** A property of a plant. */
export interface Property {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** The error of this property: it names the line of openapi.yaml. */
  readonly wrong: (what: string) => Error;
}

/** Reads NewPlant, the one place that says which properties a plant has. @throws Error that names the line which is wrong */
export function modelIn(contract: string): Property[] {
  const lines = new LineCounter();
  const document = parseDocument(contract, { lineCounter: lines });
  const nodes = document.getIn(['components', 'schemas', 'NewPlant', 'properties']);
  const { properties, required }: Schema = document.toJS().components.schemas.NewPlant;
  const model = Object.entries(properties ?? {}).map(([name, schema]) => {
    const key = isMap(nodes) && nodes.items.map((pair) => pair.key).find((each) => String(each) === name);
    const { line } = lines.linePos((isNode(key) && key.range?.[0]) || 0);
    const wrong = (what: string) => new PlainError(`${CONTRACT}:${line}: ${name} ${what}.`);
    return { name, schema, required: required?.includes(name) ?? false, wrong };
  });
  for (const { name, schema, wrong } of model) {
    const { examples = [] } = schema ?? {};
    const ofName = faultOfName(name, true);
    if (ofName) throw wrong(ofName);
    if (!Array.isArray(examples) || new Set(examples.map((each) => JSON.stringify(each))).size < 2)
      throw wrong(`needs two examples that differ`);
    if (name === 'id' && !required?.includes('id')) throw wrong('must be required');
    const check = checkOf(schema, wrong);
    const misfit = examples.find((each) => !check(each));
    if (misfit !== undefined)
      throw wrong(
        `has the example ${JSON.stringify(misfit)}, which breaks its rules: ${AJV.errorsText(check.errors, { dataVar: name })}`,
      );
    if (numbersIn(examples).some((each) => Math.abs(each) > Number.MAX_SAFE_INTEGER))
      throw wrong(
        `has an example beyond ±${Number.MAX_SAFE_INTEGER}, which the cases cannot write: choose smaller ones`,
      );
  }
  // Of a 200, the client and the cases ask what it confirms.
  if (!required?.some((name) => name !== 'id'))
    throw new PlainError(
      `${CONTRACT}: NewPlant requires nothing but id, so a response would confirm nothing.`,
    );
  const unknown = required?.find((name) => !Object.hasOwn(properties ?? {}, name));
  if (unknown)
    throw new PlainError(`${CONTRACT}: NewPlant requires ${unknown}, which is none of its properties.`);
  return model;
}

/** Makes the check of a value by a schema. @throws Error if the schema is none, as one of `type: bool`, or has a pattern that is none */
function checkOf(schema: Schema, wrong: Property['wrong']) {
  AJV.validateSchema(schema);
  const { instancePath, message, params } = AJV.errors?.[0] ?? {};
  const { allowedValues } = params ?? {};
  if (message)
    throw wrong(
      `is no JSON Schema: ${instancePath?.slice(1)} ${message}${allowedValues ? ` (${allowedValues.join(', ')})` : ''}`,
    );
  try {
    return AJV.compile(schema);
  } catch (error) {
    throw wrong(`is no JSON Schema: ${(error as Error).message}`);
  }
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

/** A plant with the examples of some properties. */
export function exampleOf(properties: readonly Property[], index = 0): Record<string, unknown> {
  return Object.fromEntries(properties.map(({ name, schema }) => [name, schema.examples?.[index]]));
}
