const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
/** No int64 has more decimal digits than this. */
const MAX_DIGITS = 19;

const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

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
