import { Failure } from '../answer/errors.ts';
import { MAX_ID_CHARACTERS } from '../limits.ts';
import { type Json, NumberLiteral } from './json.ts';

/** What the service answers: the plant as it is stored, without its id (specification, "Plant"). */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** What a client sends to create a plant (specification, "NewPlant"). The id is an int64, exact. */
export interface NewPlant extends Plant {
  readonly id: bigint;
}

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
/** No int64 has more decimal digits than this. */
const MAX_DIGITS = 19;

const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Checks that a JSON value is a NewPlant, and takes out of it just the three properties that are declared.
 * @param value what the body's JSON text said, numbers as {@link NumberLiteral}
 * @throws Failure 40002 whose message names the property and what it must be
 */
export function newPlant(value: Json): NewPlant {
  if (!(value instanceof Map)) throw new Failure('INVALID_PLANT');
  const id = readId(value.get('id'));
  const name = readText('name', value.get('name'));
  const tag = value.get('tag');
  return tag === undefined ? { id, name } : { id, name, tag: readText('tag', tag) };
}

function readId(value: Json | undefined): bigint {
  if (value === undefined) throw invalid('id is missing; it must be an integer');
  if (!(value instanceof NumberLiteral)) throw invalid('id must be an integer, as a JSON number');
  if (value.literal.length > MAX_ID_CHARACTERS) {
    throw invalid(`id must be an integer written in at most ${MAX_ID_CHARACTERS} characters`);
  }
  const id = parseInt64(value.literal);
  if (id === 'fraction') throw invalid('id must be an integer, without a fraction');
  if (id === 'range') {
    throw invalid('id must be an int64: an integer from -9223372036854775808 to 9223372036854775807');
  }
  return id;
}

function readText(property: 'name' | 'tag', value: Json | undefined): string {
  if (value === undefined) throw invalid(`${property} is missing; it must be a string`);
  if (typeof value !== 'string') throw invalid(`${property} must be a string`);
  // A lone surrogate has no UTF-8 form, so it could be neither stored nor sent back.
  if (!value.isWellFormed())
    throw invalid(`${property} must be Unicode text; it holds half of a surrogate pair`);
  return value;
}

function invalid(sentence: string): Failure {
  return new Failure('INVALID_PLANT', { message: `${sentence}.` });
}

/**
 * Reads a JSON number literal (RFC 8259 §6) as an int64, exactly: no step goes through a floating-point number.
 * A number is an integer when its value is one, however it is spelt: `1.0`, `1e3` and `-0` are (JSON Schema 2020-12
 * Validation §6.1.1).
 * @param literal a number by JSON's grammar, of bounded length
 * @returns the value, `'fraction'` when it is not an integer, or `'range'` when no int64 holds it
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
