import { isUtf8 } from 'node:buffer';
import { SCHEMAS } from '../support/contract-runner.ts';
import { OTHERS, SCHEMAS as WRITTEN } from '../support/properties.ts';
import { judgeJson } from './json-oracle.ts';

const ID_CHARACTERS = 128;
const INTEGERS = ['id', ...OTHERS.filter((name) => WRITTEN.NewPlant.properties[name]?.type === 'integer')];

/** What the contract requires for a body, whatever is stored already: an error, or a plant as it must be in the table. */
export type Verdict =
  | { readonly error: number }
  | { readonly id: string; readonly [property: string]: unknown };

/**
 * Judges a body by the contract, without code of the service: the shape by the schema in openapi.yaml, numbers by exact
 * arithmetic, JSON and UTF-8 by Node. The limits of sizes are cases of contract/cases.yaml.
 */
export function judgeBody(bytes: Buffer): Verdict {
  if (!isUtf8(bytes)) return { error: 40001 };
  const json = judgeJson(bytes.toString());
  if (!json.ok) return { error: 40001 };
  const { value, properties } = json;
  const integerOf = (name: string) => {
    const literal = /^#(.*)$/.exec(properties.get(name) ?? '')?.[1];
    return literal === undefined ? [] : [literal.length <= ID_CHARACTERS ? int64Of(literal) : undefined];
  };
  const [id] = integerOf('id');
  // Parsed JSON has a double in place of an integer, also of `1e-900`: the validator gets 0.5 for an invalid one, 1 for a valid id.
  const exact = INTEGERS.flatMap((name) =>
    integerOf(name).map((each) => [name, each === undefined ? 0.5 : name === 'id' ? 1 : Number(each)]),
  );
  const shape = exact.length === 0 ? value : { ...(value as object), ...Object.fromEntries(exact) };
  if (!SCHEMAS.NewPlant(shape)) return { error: 40002 };
  const given = OTHERS.filter((name) => Object.hasOwn(shape as object, name));
  const plant = given.map((name) => [name, (shape as Record<string, unknown>)[name]] as const);
  if (plant.some(([, text]) => typeof text === 'string' && !text.isWellFormed())) return { error: 40002 };
  return { id: String(id), ...Object.fromEntries(plant) };
}

/**
 * The value of a JSON number, if it is an int64. Computes the exact fraction mantissa × 10^exponent; the service uses
 * another method, which only handles the significant digits.
 * @param literal a valid JSON number of at most 128 characters
 */
function int64Of(literal: string): bigint | undefined {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole.replace('-', '') + fraction);
  const power = BigInt(exponent.replace('+', '')) - BigInt(fraction.length);
  if (digits === 0n) return 0n;
  // With at most 128 digits, such a value exceeds int64 or has a fraction. Computing 10n ** power would fill the memory.
  if (power > 200n || power < -200n) return undefined;
  const numerator = power > 0n ? digits * 10n ** power : digits;
  const denominator = power < 0n ? 10n ** -power : 1n;
  if (numerator % denominator !== 0n) return undefined;
  const value = literal.startsWith('-') ? -(numerator / denominator) : numerator / denominator;
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
