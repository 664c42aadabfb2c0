import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Failure } from './errors.ts';
import { MAX_INTEGER_CHARACTERS } from './limits.ts';

/** What the function does with the values of one type. */
export interface PropertyType<Value, Name extends string = string> {
  /**
   * What openapi.yaml says of a property. Whatever else treats types differently has a table by `type`: the compiler finds the one
   * that a new type lacks.
   */
  readonly schema: { readonly type: Name } & Readonly<Record<string, unknown>>;
  /** What a value must be, for the message about a missing property. */
  readonly mustBe: string;
  /**
   * Reads a value from its JSON text.
   * @throws Failure 40002 whose message names the property and what it must be
   */
  read(json: string, property: string): Value;
  /** The JSON text of a value. */
  write(value: Value): string;
  /** How many bytes the value may take in an item (developer guide, "DynamoDB Item sizes and formats"). */
  bytes(value: Value): number;
  /** Whether an attribute of an item is this value. */
  isStored(value: Value, attribute: AttributeValue): boolean;
}

/** An int64, within limits if there are any. */
export function integer(
  limits: { minimum?: number; maximum?: number } = {},
): PropertyType<bigint, 'integer'> {
  const { minimum = -(2n ** 63n), maximum = 2n ** 63n - 1n } = limits;
  const mustBe = `an integer from ${minimum} to ${maximum}`;
  return {
    schema: { type: 'integer', format: 'int64', ...limits },
    mustBe,
    read(json, property) {
      if (!/^[-\d]/.test(json)) throw wrong(property, `${mustBe}, as a JSON number`);
      if (json.length > MAX_INTEGER_CHARACTERS)
        throw wrong(property, `${mustBe}, written in at most ${MAX_INTEGER_CHARACTERS} characters`);
      const value = parseInt64(json);
      if (value === 'fraction') throw wrong(property, `${mustBe}, without a fraction`);
      if (value === 'range' || value < minimum || value > maximum) throw wrong(property, mustBe);
      return value;
    },
    write: String,
    // 10 bytes for 19 digits and 1 more; AWS says "approximately", so 1 for a sign.
    bytes: () => 12,
    // By value: what stands in for DynamoDB may write 7 as 7.0 or 7E0.
    isStored: (value, { N: number = '' }) => LITERAL.test(number) && parseInt64(number) === value,
  };
}

/** A text. Its length counts code points, as in JSON Schema (Validation §6.3.1), not UTF-16 units. */
export function text(limits: { maxLength?: number } = {}): PropertyType<string, 'string'> {
  const { maxLength = Infinity } = limits;
  const mustBe = limits.maxLength === undefined ? 'a string' : `a string of at most ${maxLength} characters`;
  return {
    schema: { type: 'string', ...limits },
    mustBe,
    read(json, property) {
      if (!json.startsWith('"')) throw wrong(property, mustBe);
      const value: string = JSON.parse(json);
      // A lone surrogate has no UTF-8 form, so it could be neither stored nor sent back.
      if (!value.isWellFormed()) throw wrong(property, 'Unicode text without an unpaired surrogate');
      if (value.length > maxLength && [...value].length > maxLength) throw wrong(property, mustBe);
      return value;
    },
    write: JSON.stringify,
    bytes: Buffer.byteLength,
    isStored: (value, { S: stored }) => stored === value,
  };
}

/** The types, as openapi.yaml names them. */
export type TypeName = ReturnType<typeof integer | typeof text>['schema']['type'];

/** No int64 has more decimal digits than this. */
const MAX_DIGITS = 19;

const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

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
