import fc from 'fast-check';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const EDGES = [0n, 1n, 10n ** 18n, 10n ** 19n, 2n ** 53n, 2n ** 63n, 2n ** 64n].flatMap((n) =>
  [n - 1n, n, n + 1n].flatMap((near) => [near, -near]),
);

/** An integer: often a boundary value, often an int64, sometimes much larger. */
export const integer: fc.Arbitrary<bigint> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...EDGES) },
  { weight: 4, arbitrary: fc.bigInt({ min: MIN, max: MAX }) },
  { weight: 2, arbitrary: fc.bigInt({ min: -12n, max: 12n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }) },
);

/** A number of digits: mostly few, sometimes more than the 128 that an id may have. */
const shift = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 8 }) },
  { weight: 1, arbitrary: fc.nat({ max: 130 }) },
);

/** A number literal: an integer in one of many notations, or any valid JSON number. */
export const numberLiteral: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: integer.map(String) },
  {
    weight: 4,
    arbitrary: fc.tuple(integer, shift, shift, fc.constantFrom('e', 'E', 'e+', 'E00')).map(spell),
  },
  { weight: 2, arbitrary: fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,20})?([eE][+-]?\d{1,9})?$/) },
);

/** Writes value × 10^zeros with its point moved to the left, and an exponent that compensates. */
function spell([value, zeros, point, e]: [bigint, number, number, string]): string {
  const digits = `${value < 0n ? -value : value}${'0'.repeat(zeros)}`.padStart(point + 1, '0');
  const whole = digits.slice(0, digits.length - point);
  const fraction = point > 0 ? `.${digits.slice(digits.length - point)}` : '';
  const exponent = point - zeros;
  const tail = exponent < 0 ? `${e[0]}${exponent}` : exponent > 0 ? `${e}${exponent}` : '';
  return `${value < 0n ? '-' : ''}${whole}${fraction}${tail}`;
}
