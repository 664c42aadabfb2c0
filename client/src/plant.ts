import { confirms, copyOf, exactJson } from './json.ts';
import { DOUBLES, type NewPlant, type Plant, PROPERTIES } from './properties.ts';
import type { Call } from './response.ts';

const RETURNED = Object.keys(PROPERTIES).filter((name) => name !== 'id');

/**
 * Checks and copies a plant, which its owner may change while it is sent.
 * @returns the request body with the exact id, and what finds the plant in a response that has what was sent; a later version of the
 * service may add properties
 * @throws TypeError if a property is missing or has another type
 * @throws RangeError if a number is no int64 or may have lost digits, or a string has a lone surrogate
 */
export function toSend(newPlant: NewPlant): Pick<Call<Plant>, 'resultOf'> & { body: string } {
  if (typeof newPlant !== 'object' || newPlant === null) throw new TypeError('The plant must be an object.');
  const values = checkedValues(newPlant as unknown as Record<string, unknown>, PROPERTIES);
  const body = exactJson('plant', values, DOUBLES);
  const { id: _, ...plant } = copyOf(values);
  const isSame = (content: Readonly<Record<string, unknown>>) =>
    RETURNED.every((name) => confirms(own(content, name), own(plant, name)));
  return { body, resultOf: (content) => (isSame(content) ? (plant as unknown as Plant) : undefined) };
}

/**
 * The values of the properties that are there.
 * @throws TypeError if one is missing or has another type; RangeError if it is a fraction in place of an integer
 */
export function checkedValues(
  given: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, { readonly types: readonly string[]; readonly required: boolean }>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, { types, required }] of Object.entries(properties)) {
    const value = own(given, name);
    if (value === undefined && !required) continue;
    checkType(name, value, types);
    values[name] = value;
  }
  return values;
}

/** Its own property: another one may be called `constructor`, which every object inherits. */
function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function checkType(name: string, value: unknown, types: readonly string[]): void {
  const type = value === null ? 'null' : typeof value;
  if (!types.includes(type))
    throw new TypeError(`${name} must be of type ${types.join(' or ')}; it is ${type}.`);
  if (types.includes('bigint') && type === 'number' && !Number.isInteger(value))
    throw new RangeError(`${name} must be an integer; it is ${value}.`);
}
