import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Failure } from './errors.ts';
import { MAX_ID_CHARACTERS } from './limits.ts';

/** What the function does with the values of one kind. */
export interface Kind<Value> {
  /** What a value must be, for the message about a missing property. */
  readonly mustBe: string;
  /**
   * Reads a value from its JSON text.
   * @throws Failure 40002 whose message names the property and what it must be
   */
  read(json: string, property: string): Value;
  /** How many bytes the value may take in an item (developer guide, "DynamoDB Item sizes and formats"). */
  bytes(value: Value): number;
  /** Whether an attribute of an item is this value. */
  isStored(value: Value, attribute: AttributeValue): boolean;
}

const id: Kind<bigint> = {
  mustBe: 'an integer',
  read: readId,
  // About a byte for two of its 19 digits, and one more: "about" leaves room for a sign.
  bytes: () => 12,
  // DynamoDB returns the digits without leading or trailing zeros (developer guide, "Data types", "Numbers").
  isStored: (value, { N: digits }) => digits === String(value),
};

const text: Kind<string> = {
  mustBe: 'a string',
  read: readText,
  bytes: Buffer.byteLength,
  isStored: (value, { S: stored }) => stored === value,
};

/**
 * The kinds of properties. Whatever else treats kinds differently has a table of its own with these names, so that the type
 * check names the places that a new kind lacks.
 */
export const KINDS = { id, text };

export type KindName = keyof typeof KINDS;

/** The type of the values of a kind. */
export type ValueOf<Name extends KindName> = ReturnType<(typeof KINDS)[Name]['read']>;

/** No int64 has more decimal digits than this. */
const MAX_DIGITS = 19;

const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function readId(json: string, property: string): bigint {
  if (!/^[-\d]/.test(json)) throw wrong(property, 'an integer, as a JSON number');
  if (json.length > MAX_ID_CHARACTERS)
    throw wrong(property, `an integer written in at most ${MAX_ID_CHARACTERS} characters`);
  const value = parseInt64(json);
  if (value === 'fraction') throw wrong(property, 'an integer, without a fraction');
  if (value === 'range')
    throw wrong(property, 'an int64: an integer from -9223372036854775808 to 9223372036854775807');
  return value;
}

function readText(json: string, property: string): string {
  if (!json.startsWith('"')) throw wrong(property, 'a string');
  const value: string = JSON.parse(json);
  // A lone surrogate has no UTF-8 form, so it could be neither stored nor sent back.
  if (!value.isWellFormed()) throw wrong(property, 'Unicode text; it contains an unpaired surrogate');
  return value;
}

function wrong(property: string, mustBe: string): Failure {
  return new Failure('INVALID_PLANT', { message: `${property} must be ${mustBe}.` });
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
  return value === BigInt.asIntN(64, value) ? value : 'range';
}
