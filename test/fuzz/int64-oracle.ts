/**
 * The value of a JSON number, if it is an int64. Computes the exact fraction mantissa × 10^exponent; the service uses
 * another method, which only handles the significant digits.
 * @param literal a valid JSON number of at most 128 characters
 */
export function int64Of(literal: string): bigint | undefined {
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
