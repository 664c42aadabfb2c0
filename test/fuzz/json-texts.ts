import fc from 'fast-check';

/** Generates text by some grammar. */
export type Text = fc.Arbitrary<string>;

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const EDGES = [0n, 1n, 10n ** 18n, 10n ** 19n, 2n ** 53n, 2n ** 63n, 2n ** 64n].flatMap((n) =>
  [n - 1n, n, n + 1n].flatMap((near) => [near, -near]),
);

/** An integer: often a boundary value, often an int64, sometimes much larger. */
const integer: fc.Arbitrary<bigint> = fc.oneof(
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

/** Random JSON whitespace, mostly none. */
export const space: Text = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.stringMatching(/^[ \t\n\r]{0,3}$/) },
);

/** Any text: often short, so that duplicates are likely, and sometimes with a lone surrogate. */
export const anyText: Text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'Fern', 'fern', '\u0000', '\ufeff', '\u212b', '\u00c5', '𝒳') },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('\ud83c', '\udf3f', 'a', '\\'), maxLength: 4 }) },
);

const spelling = fc.oneof(
  { weight: 8, arbitrary: fc.constant((character: string) => JSON.stringify(character).slice(1, -1)) },
  { weight: 1, arbitrary: fc.constant(escaped) },
  { weight: 1, arbitrary: fc.constant((character: string) => escaped(character).replace(/[a-f]/g, upper)) },
);

/** A text as a JSON string, with each character escaped or not at random. */
export function stringLiteral(text: Text): Text {
  return fc.tuple(text, fc.array(spelling, { minLength: 1 })).map(([value, spellings]) => {
    const characters = [...value].map((each, index) => spellings[index % spellings.length]?.(each));
    return `"${characters.join('')}"`;
  });
}

/** Each UTF-16 code unit as `\u` and four hexadecimal digits. */
function escaped(character: string): string {
  return character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function upper(digit: string): string {
  return digit.toUpperCase();
}

/** A scalar value, or one of a few short arrays and objects. */
export const scalar: Text = fc.oneof(
  numberLiteral,
  stringLiteral(anyText),
  fc.constantFrom('null', 'true', 'false', '[]', '{}', '"7"', '[{"a":1}]', '{"a":[1]}'),
);

/** Any JSON value, formatted differently from `JSON.stringify`, sometimes with duplicate properties. */
export const anyJson: Text = fc.letrec<{ value: string; member: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values}]`),
    fc.array(tie('member'), { maxLength: 4 }).map((members) => `{${members}}`),
  ),
  member: fc
    .tuple(stringLiteral(fc.constantFrom('a', 'b', '__proto__', 'id', '')), space, tie('value'), space)
    .map(([key, before, value, after]) => `${key}${before}:${after}${value}`),
})).value;

/** A text with one or two small defects. */
export function damaged(text: Text): Text {
  const put = fc.constantFrom('', ...'"\\,:{}[]0-.e \u0000\ufeffé', '\ud800');
  const defects = fc.array(fc.tuple(fc.nat(), put, fc.nat({ max: 3 })), { minLength: 1, maxLength: 2 });
  return fc.tuple(text, defects).map(([whole, all]) =>
    all.reduce((sofar, [at, replacement, cut]) => {
      const index = at % (sofar.length + 1);
      return sofar.slice(0, index) + replacement + sofar.slice(index + cut);
    }, whole),
  );
}

/** JSON tokens in random order. */
export const soup: Text = fc.string({
  unit: fc.constantFrom(...'{}[]":,\\01-.e a\n', '\\u', 'true', 'null', '"id"'),
  maxLength: 25,
});
