import { Failure } from '../errors.ts';
import { MAX_ID_CHARACTERS } from '../limits.ts';
import { type NewPlant, type Plant, TEXT_NAMES, TEXTS, type TextName } from '../plant.ts';
import type { Properties } from './json.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
/** No int64 has more decimal digits than this. */
const MAX_DIGITS = 19;

const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Checks that a JSON object is a NewPlant, and returns only its declared properties.
 * @example newPlant(parseJson('{"id": 1e3, "name": "Fern", "price": 5}')) // { id: 1000n, name: 'Fern' }
 * @param properties the properties' JSON texts, from {@link parseJson}; undefined if the body is not an object
 * @throws Failure 40002 whose message names the property and what it must be
 */
export function newPlant(properties: Properties | undefined): NewPlant {
  if (properties === undefined) throw new Failure('INVALID_PLANT');
  const id = readId(properties.get('id'));
  const texts: Partial<Record<TextName, string>> = {};
  for (const name of TEXT_NAMES) {
    const json = properties.get(name);
    if (json !== undefined || TEXTS[name] === 'required') texts[name] = readText(name, json);
  }
  return { id, ...(texts as Plant) };
}

function readId(json: string | undefined): bigint {
  if (json === undefined) throw invalidPlant('id is missing; it must be an integer');
  if (!/^[-\d]/.test(json)) throw invalidPlant('id must be an integer, as a JSON number');
  if (json.length > MAX_ID_CHARACTERS) {
    throw invalidPlant(`id must be an integer written in at most ${MAX_ID_CHARACTERS} characters`);
  }
  const id = parseInt64(json);
  if (id === 'fraction') throw invalidPlant('id must be an integer, without a fraction');
  if (id === 'range') {
    throw invalidPlant('id must be an int64: an integer from -9223372036854775808 to 9223372036854775807');
  }
  return id;
}

function readText(property: TextName, json: string | undefined): string {
  if (json === undefined) throw invalidPlant(`${property} is missing; it must be a string`);
  if (!json.startsWith('"')) throw invalidPlant(`${property} must be a string`);
  const text: string = JSON.parse(json);
  // A lone surrogate has no UTF-8 form, so it could be neither stored nor sent back.
  if (!text.isWellFormed()) {
    throw invalidPlant(`${property} must be Unicode text; it contains an unpaired surrogate`);
  }
  return text;
}

function invalidPlant(sentence: string): Failure {
  return new Failure('INVALID_PLANT', { message: `${sentence}.` });
}

/**
 * Reads a JSON number literal (RFC 8259 §6) as an int64, exactly: no step goes through a floating-point number.
 * A number is an integer if its value is one, however it is written: `1.0`, `1e3` and `-0` are (JSON Schema 2020-12
 * Validation §6.1.1).
 * @param literal a number by JSON's grammar, of bounded length
 * @returns the value, `'fraction'` when it is not an integer, or `'range'` when it is outside int64
 */
export function parseInt64(literal: string): bigint | 'fraction' | 'range' {
  const [, sign, whole, fraction = '', exponent = '0'] = LITERAL.exec(literal) as RegExpExecArray;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return 0n;
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  if (power < 0) return 'fraction';
  if (significant.length + power > MAX_DIGITS) return 'range';
  const value = BigInt(`${sign}${significant}${'0'.repeat(power)}`);
  return value < MIN || value > MAX ? 'range' : value;
}
