import fc from 'fast-check';
import { numberLiteral } from './number-texts.ts';

/** Generates text by some grammar. */
export type Text = fc.Arbitrary<string>;

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
