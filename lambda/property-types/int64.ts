/** No int64 has more decimal digits than this. */
const MAX_DIGITS = 19;

const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Reads a number literal (RFC 8259 §6; DynamoDB's numbers have the same form) as an int64, exactly: no step goes through a
 * floating-point number. A number is an integer if its value is one, however it is written: `1.0`, `1e3` and `-0` are (JSON Schema
 * 2020-12 Validation §6.1.1).
 * @param literal of bounded length
 * @param places moves the decimal point to the right: 1.25 with 2 is 125
 * @returns the value, `'fraction'` when it is not an integer, or `'range'` when it is outside int64 or no number
 */
export function parseInt64(literal: string, places = 0): bigint | 'fraction' | 'range' {
  const parts = LITERAL.exec(literal);
  if (!parts) return 'range';
  const [, sign, whole, fraction = '', exponent = '0'] = parts as unknown as [string, string, string];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutZeros(digits);
  if (significant === '') return 0n;
  const power = Number(exponent) + places - fraction.length + (digits.length - significant.length);
  if (power < 0) return 'fraction';
  if (significant.length + power > MAX_DIGITS) return 'range';
  const value = BigInt(`${sign}${significant}${'0'.repeat(power)}`);
  return value === BigInt.asIntN(64, value) ? value : 'range';
}

/** Without the zeros at its end. Not by a regular expression, which would try each run of zeros. */
export function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
